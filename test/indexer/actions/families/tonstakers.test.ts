import { describe, expect, it } from "vitest";
import { actionsOf } from "../../../helpers/index/made-jettons.js";
import { accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith, none } from "../../../helpers/made-cells.js";
import { rowsOfType } from "./shown-rows.js";

const [alice, bob, carol, pool, master, wallet, collection, item, item2] = accounts(
  "alice, bob, carol, pool, master, alice's wallet, collection, item, another item",
);
const provider = "liquid_staking";
const ton = 1_000_000_000n;
const plain = (to: string, opcode: number, sends: readonly MadeMessage[] = []): MadeMessage => ({
  to,
  body: bodyOf(opcode),
  sends,
});
const unread = (to: string, opcode: number, sends: readonly MadeMessage[]): MadeMessage => ({
  to,
  body: cellWith([opcode, 32]),
  sends,
});
const by = (...sends: readonly MadeMessage[]): MadeMessage => ({ to: alice, sends });

describe("A deposit at Tonstakers", () => {
  const rows = (root: MadeMessage) => rowsOfType("stake_deposit", actionsOf(root, {}));
  const tokens = bodyOf(0x178d4519, 40n, none, none, 0n, false);
  const minted = (...sends: MadeMessage[]): MadeMessage =>
    plain(master, 0x1674b0a0, [{ to: wallet, body: tokens, sends }]);
  const deposit = (value: bigint, ...sends: MadeMessage[]): MadeMessage => ({
    ...plain(pool, 0x47d54391, sends),
    value,
  });
  const row = {
    type: "stake_deposit",
    success: true,
    source: alice,
    destination: pool,
    amount: 5n * ton,
    asset: master,
    staking_data: { provider, tokens_minted: 40n },
  };

  it("leaves a fee, and has the minted amount", () => {
    expect(rows(by(deposit(6n * ton, minted())))).toEqual([row]);
    expect(rows(by(deposit(6n * ton, minted(plain(alice, 0x7362d09c)))))).toEqual([row]);
    expect(rows(by(deposit(1n, minted())))).toEqual([{ ...row, amount: 1n - ton }]);
  });

  it("is none if nothing was minted, or if it cannot be read how much", () => {
    expect(rows(by(deposit(6n * ton)))).toEqual([]);
    expect(rows(by(deposit(6n * ton, plain(master, 0x1674b0a0))))).toEqual([]);
    const broken = plain(master, 0x1674b0a0, [unread(wallet, 0x178d4519, [])]);
    expect(rows(by(deposit(6n * ton, broken)))).toEqual([]);
  });
});

const burnBody = bodyOf(0x595f07bc, 30n, alice);

/** A request to burn tokens, and the pool's messages that follow. */
function burn(...sends: readonly MadeMessage[]): MadeMessage {
  const request = { ...plain(pool, 0x319b0cdc, sends), value: 10n };
  return { to: wallet, body: burnBody, sends: [plain(master, 0x7bdd97de, [request])] };
}

describe("A withdrawal at Tonstakers", () => {
  const actions = (root: MadeMessage) =>
    actionsOf(root, { [wallet]: { jettonWallet: { owner: alice, master } } });
  const rows = (root: MadeMessage) => rowsOfType("stake_withdrawal", actions(root));
  const payout = { ...plain(alice, 0x0a77535c), value: 25n };

  it("is none if the request cannot be read, or if nothing follows from it", () => {
    expect(rows(by(burn(payout)))).toHaveLength(1);
    const { sends } = burn(payout);
    expect(rows(by(unread(wallet, 0x595f07bc, sends!)))).toEqual([]);
    expect(actions(by(burn())).map(({ type }) => type)).toEqual(["jetton_burn", "call_contract"]);
  });
});

describe("A request of a withdrawal at Tonstakers", () => {
  const nftItem = { index: 1n, collection, owner: alice, contentUri: undefined, codeHash: undefined };
  const init: MadeMessage = { ...plain(item, 0x132f9a45), status: ["uninit", "active"] };
  const request = (...sends: readonly MadeMessage[]) => by(burn(plain(collection, 0x1674b0a0, sends)));
  const row = {
    type: "stake_withdrawal_request",
    success: true,
    source: alice,
    source_secondary: wallet,
    destination: pool,
    asset: master,
    amount: 30n,
    staking_data: { provider, ts_nft: item },
  };

  it("names the item that was minted, which keeps its row", () => {
    const actions = actionsOf(request(init), { [item]: { nftItem } });
    expect(rowsOfType("stake_withdrawal_request", actions)).toEqual([row]);
    expect(rowsOfType("nft_mint", actions)).toHaveLength(1);
  });

  it("names an item that is unknown by its first message", () => {
    expect(rowsOfType("stake_withdrawal_request", actionsOf(request(init), {}))).toEqual([row]);
  });

  it("fails without an item", () => {
    const failed = { ...row, success: false, staking_data: { provider } };
    expect(rowsOfType("stake_withdrawal_request", actionsOf(request(), {}))).toEqual([failed]);
  });
});

describe("A payout of a round of Tonstakers", () => {
  const rows = (root: MadeMessage) => rowsOfType("stake_withdrawal", actionsOf(root, {}));
  const burned = (owner: string, amount: bigint, sends: readonly MadeMessage[]): MadeMessage => ({
    to: collection,
    body: bodyOf(0xed58b0b2, amount, owner, [1, 64]),
    sends,
  });
  const paid = (owner: string, value: bigint): MadeMessage => ({ ...plain(owner, 0xdb3b8abd), value });
  const last = plain(item2, 0xf127fe4e, [burned(carol, 40n, [paid(carol, 44n)])]);
  const first = plain(item, 0xf127fe4e, [burned(bob, 30n, [paid(bob, 33n), last])]);
  const row = (source: string, ts_nft: string, amount: bigint, tokens_burnt: bigint) => ({
    type: "stake_withdrawal",
    success: true,
    source,
    destination: pool,
    amount,
    staking_data: { provider, ts_nft, tokens_burnt },
  });

  it("burns one item after another, all for the pool that began", () => {
    const root = { to: pool, sends: [plain(collection, 0x1140a64f, [first])] };
    expect(rows(root)).toEqual([row(bob, item, 33n, 30n), row(carol, item2, 44n, 40n)]);
  });

  it("finds the pool behind items whose owners were not paid", () => {
    const unpaid = plain(item, 0xf127fe4e, [burned(bob, 30n, [last])]);
    const root = { to: pool, sends: [plain(collection, 0x1140a64f, [unpaid])] };
    expect(rows(root)).toEqual([row(carol, item2, 44n, 40n)]);
  });

  it("knows no pool if something else began", () => {
    const unknown = { ...row(carol, item2, 44n, 40n), destination: undefined };
    expect(rows({ to: collection, sends: [last] })).toEqual([unknown]);
    expect(rows({ to: pool, sends: [plain(collection, 0x12345678, [last])] })).toEqual([unknown]);
  });

  it("is none if the burned item is missing or unreadable", () => {
    expect(rows({ to: collection, sends: [paid(bob, 1n)] })).toEqual([]);
    const broken = { ...burned(bob, 1n, [paid(bob, 1n)]), body: bodyOf(0xed58b0b2) };
    expect(rows({ to: collection, sends: [plain(item, 0xf127fe4e, [broken])] })).toEqual([]);
  });
});
