import { describe, expect, it } from "vitest";
import type { Action } from "../../../../server/indexer/actions/action.js";
import { classify } from "../../../../server/indexer/actions/classify.js";
import { type Contract, ContractLookups } from "../../../../server/indexer/actions/contracts.js";
import { proxyTonMasters } from "../../../../server/indexer/actions/families/jettons.js";
import { parseBocRoot } from "../../../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import {
  account,
  accounts,
  bodyWith,
  comment,
  type MadeMessage,
  traceOf,
} from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith, fieldsWith } from "../../../helpers/made-cells.js";

const [alice, aliceWallet, bob, bobWallet, master] = accounts(
  "alice, alice's wallet, bob, bob's wallet, master",
);
const wallets = {
  [aliceWallet]: { jettonWallet: { owner: alice, master } },
  [bobWallet]: { jettonWallet: { owner: bob, master } },
};

function actionsOf(root: MadeMessage, known: Record<string, Contract>): readonly Action[] {
  const contracts = new ContractLookups();
  for (const [address, contract] of Object.entries(known)) contracts.add(address, contract);
  return classify(traceOf(root), contracts).actions;
}

/** The columns of an action that this file tests. */
function shown({ type, success, source, destination, asset, amount, ...action }: Action) {
  const { source_secondary, destination_secondary, value, opcode } = action;
  return {
    type,
    success,
    source,
    source_secondary,
    destination,
    destination_secondary,
    asset,
    amount,
    value,
    opcode,
  };
}

const transferBody = (payload = fieldsWith(true, comment("hi"))) =>
  cellWith(bodyWith(0x0f8a7ea5, 9n), 50n, bob, alice, false, 2n, payload);
const receivedBody = cellWith(bodyWith(0x178d4519, 9n), 49n, alice, alice, 3n, false);
const notified: MadeMessage = { to: bob, body: bodyOf(0x7362d09c) };
const excess: MadeMessage = { to: alice, body: bodyOf(0xd53276db) };
const received: MadeMessage = { to: bobWallet, body: receivedBody, sends: [notified, excess] };
const transfer: MadeMessage = { to: aliceWallet, body: transferBody(), sends: [received] };
const from = (message: MadeMessage): MadeMessage => ({ to: alice, sends: [message] });

const wholeTransfer = {
  type: "jetton_transfer",
  success: true,
  source: alice,
  source_secondary: aliceWallet,
  destination: bob,
  destination_secondary: bobWallet,
  asset: master,
  amount: 49n,
};

describe("A jetton transfer", () => {
  it("is the request with its outcome, including its excess", () => {
    const actions = actionsOf(from(transfer), wallets);
    expect(actions).toHaveLength(1);
    const [action] = actions;
    expect(action).toMatchObject({
      ...wholeTransfer,
      tx_hashes: { length: 5 },
      accounts: [alice, aliceWallet, bob, bobWallet].sort(),
    });
    if (action?.type !== "jetton_transfer") throw new Error("not a transfer");
    const { forward_payload, ...data } = action["jetton_transfer_data"] ?? {};
    expect(data).toEqual({
      query_id: 9n,
      response_destination: alice,
      forward_amount: 3n,
      custom_payload: undefined,
      comment: "hi",
      is_encrypted_comment: false,
    });
    expect(parseBocRoot(Buffer.from(forward_payload as string, "base64")).equals(comment("hi"))).toBe(true);
  });

  it("keeps inline payloads, and has none if it has no bits or the bit before it is left out", () => {
    const payloadOf = (payload: ReturnType<typeof beginCell>) => {
      const [action] = actionsOf(from({ ...transfer, body: transferBody(payload) }), wallets);
      return action?.type === "jetton_transfer" && action["jetton_transfer_data"]?.["forward_payload"];
    };
    const inline = fieldsWith(false, [5, 32]);
    const cell = parseBocRoot(Buffer.from(payloadOf(inline) as string, "base64"));
    expect(cell.equals(cellWith([5, 32]))).toBe(true);
    expect(payloadOf(fieldsWith(false))).toBeUndefined();
    expect(payloadOf(beginCell())).toBeUndefined();
  });

  it("has the amount of the request where the internal transfer cannot be read", () => {
    const unread = { ...received, body: bodyOf(0x178d4519) };
    const [action] = actionsOf(from({ ...transfer, sends: [unread] }), wallets);
    expect(action).toMatchObject({ ...wholeTransfer, amount: 50n });
  });

  it("goes to the wallet's owner, regardless of the stated receiver, and marks the trace", () => {
    const contracts = new ContractLookups();
    for (const [address, contract] of Object.entries(wallets)) contracts.add(address, contract);
    const carol = account("carol");
    contracts.add(bobWallet, { jettonWallet: { owner: carol, master } });
    const { state, actions } = classify(traceOf(from(transfer)), contracts);
    expect([state, actions[0]?.destination]).toEqual(["broken", carol]);
  });

  it("fails with the request and with the internal transfer", () => {
    const bouncedBack: MadeMessage = { to: aliceWallet, body: bodyOf(0xffffffff) };
    const refused = { ...received, isAborted: true, sends: [bouncedBack] };
    const failed = actionsOf(from({ ...transfer, sends: [refused] }), wallets);
    expect(failed.map(shown)).toEqual([
      { ...wholeTransfer, success: false, value: undefined, opcode: undefined },
    ]);
    const [requestFailed] = actionsOf(from({ ...transfer, isAborted: true }), wallets);
    expect(requestFailed).toMatchObject({ ...wholeTransfer, success: false });
  });

  it("is not recognised without a known receiving wallet or a body that can be read", () => {
    const types = (root: MadeMessage, known = wallets as Record<string, Contract>) =>
      actionsOf(root, known).map(({ type }) => type);
    expect(types(from(transfer), { [aliceWallet]: wallets[aliceWallet]! })).toEqual(
      Array(4).fill("call_contract"),
    );
    const unread = { ...transfer, body: bodyOf(0x0f8a7ea5) };
    expect(types(from(unread))).toEqual(Array(4).fill("call_contract"));
    expect(types(from({ ...transfer, sends: [] }))).toEqual(["call_contract"]);
  });

  it("over proxy TON is one of the wallet that was called, and has no wallets", () => {
    const [proxy] = [...proxyTonMasters];
    const sent = from({ ...transfer, sends: [notified] });
    const known = { [aliceWallet]: { jettonWallet: { owner: alice, master: proxy! } } };
    expect(actionsOf(sent, known).map(shown)).toEqual([
      {
        ...wholeTransfer,
        source_secondary: undefined,
        destination_secondary: undefined,
        asset: proxy,
        amount: 50n,
        value: undefined,
        opcode: undefined,
      },
    ]);
    expect(actionsOf(sent, wallets).map(({ type }) => type)).toEqual(["call_contract", "call_contract"]);
  });
});

describe("A jetton burn", () => {
  const notification: MadeMessage = { to: master, body: bodyOf(0x7bdd97de), sends: [excess] };
  const body = bodyOf(0x595f07bc, 5n);
  const burn: MadeMessage = { to: aliceWallet, body, sends: [notification] };

  it("is the request with its notification", () => {
    expect(actionsOf(from(burn), wallets).map(shown)).toEqual([
      {
        type: "jetton_burn",
        success: true,
        source: alice,
        source_secondary: aliceWallet,
        destination: undefined,
        destination_secondary: undefined,
        asset: master,
        amount: 5n,
        value: undefined,
        opcode: undefined,
      },
    ]);
  });

  it("fails with the request and needs a known wallet and an amount", () => {
    expect(actionsOf(from({ ...burn, isAborted: true, sends: [] }), wallets)).toMatchObject([
      { type: "jetton_burn", success: false },
    ]);
    expect(actionsOf(from(burn), {}).map(({ type }) => type)).toEqual(Array(3).fill("call_contract"));
    const unread = { ...burn, body: bodyOf(0x595f07bc) };
    expect(actionsOf(from(unread), wallets).map(({ type }) => type)).toEqual(Array(3).fill("call_contract"));
  });
});

describe("A jetton mint", () => {
  const masterMessage = bodyOf(0x178d4519, 60n);
  const mintBody = (opcode: number) => bodyOf(opcode, bob, 7n, masterMessage);
  const mintOf = (opcode: number): MadeMessage => ({ to: master, body: mintBody(opcode), sends: [received] });
  const minted = {
    type: "jetton_mint",
    success: true,
    destination: bob,
    destination_secondary: bobWallet,
    asset: master,
    amount: 49n,
    value: 7n,
  };

  it.each([0x642b7d07, 0x15])("of %i has the amount received by the wallet", (opcode) => {
    const [action, ...others] = actionsOf(from(mintOf(opcode)), wallets);
    expect(action).toMatchObject(minted);
    expect(others).toEqual([]);
  });

  it.each([
    [0x642b7d07, undefined],
    [0x15, 60n],
  ])("of %i fails if nothing is received or the request fails", (opcode, amount) => {
    const failed = { ...minted, success: false, destination_secondary: undefined, amount };
    expect(actionsOf(from({ ...mintOf(opcode), sends: [] }), wallets)).toMatchObject([failed]);
    expect(actionsOf(from({ ...mintOf(opcode), isAborted: true }), wallets)).toMatchObject([failed]);
  });

  it("fails with the internal transfer and needs a known wallet", () => {
    const mint = mintOf(0x15);
    const refused = { ...mint, sends: [{ ...received, isAborted: true }] };
    expect(actionsOf(from(refused), wallets)).toMatchObject([{ ...minted, success: false }]);
    expect(actionsOf(from(mint), {}).map(({ type }) => type)).toEqual(Array(4).fill("call_contract"));
  });
});
