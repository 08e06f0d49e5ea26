import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import {
  type OrderForm,
  type Payment,
  signedOrder,
  unsignedOrder,
} from "../../server/contracts/wallet-order.js";
import { commentBody, externalMessage } from "../../server/devnet/wallets/compose.js";
import { Wallet } from "../../server/devnet/wallets/wallet.js";
import type { Action } from "../../shared/schema/v3/actions.js";
import { type Builder, beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { encode } from "../../shared/ton/tlb/codec.js";
import { onlyCoins } from "../../shared/ton/tlb/currency-collection.js";
import { composeMessage, Message } from "../../shared/ton/tlb/message.js";
import { StateInit } from "../../shared/ton/tlb/state-init.js";
import { Address } from "../../shared/values/address.js";
import { TestWallet } from "../helpers/chain/devnet.js";
import { bocText } from "../helpers/contracts/contracts.js";
import { keyChange, keyOf, sendOneRequest, signedBy } from "../helpers/contracts/tg-wallet.js";
import { RawEventStream } from "../helpers/http/event-stream.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { streamsReady } from "../helpers/services/streams-ready.js";

const key = keyOf(21);
const stranger = keyOf(22);
const wallets = {
  v5r1: { form: "v5", id: 0x7fffff11, internal: () => 0x73696e74 },
  tg: { form: "tg", id: 0x7fff7f11, internal: (external: number) => external - 1 },
} as const satisfies Record<string, { form: OrderForm; id: number; internal: (external: number) => number }>;
type Version = keyof typeof wallets;

const validUntil = 4_000_000_000;
const receiver = new Wallet("v4r2", keyOf(23)).address;
const pay = (value: bigint): Payment => ({ to: receiver, value, bounce: false, body: commentBody("paid") });

let service: DevnetService;
let faucet: string;
beforeAll(async () => {
  service = await sharedService("indexed");
  await streamsReady(service);
  faucet = (await service.run<{ faucet: { address: string } }>("devnet.info")).faucet.address;
});
afterAll(() => service?.close());
beforeEach(async () => {
  const { id } = await service.run<{ id: string }>("devnet.snapshot");
  return () => service.run("devnet.revert", { id });
});

/** A request that another account may deliver, from the one that comes from outside. */
function internalForm(version: Version, external: Builder): Builder {
  const rest = external.endCell().parse();
  return beginCell()
    .storeUint(wallets[version].internal(rest.loadUint(32)), 32)
    .storeSlice(rest);
}

function requestTo(version: Version, seqno: number, payments: readonly Payment[], signer = key): Cell {
  const { form, id } = wallets[version];
  const unsigned = internalForm(version, unsignedOrder(form, id, { seqno, validUntil, payments }));
  return signedOrder(form, unsigned, signer.sign(unsigned.endCell().hash()));
}

/** The faucet's message, as a relayer emulates its own. */
function delivery({ address: dest, init }: Wallet, body: Cell): Cell {
  const info = {
    kind: "internal",
    ihrDisabled: true,
    bounce: false,
    bounced: false,
    src: Address.read(faucet)!.address,
    dest,
    value: onlyCoins(200_000_000n),
    extraFlags: 0n,
    fwdFee: 0n,
    createdLt: 0n,
    createdAt: 0,
  } as const;
  return encode(Message, composeMessage({ info, init, body }));
}

const withActions = { with_actions: true, supported_action_types: ["latest"] };
const initText = ({ init }: Wallet) => bocText(encode(StateInit, init));

type Receipt = { tx_hash: string; status?: { status: string; transaction: { account: string } } };
const relay = async (params: object) => {
  const receipt = await service.run<Receipt>("devnet.relay", params);
  await service.mine(2);
  return receipt;
};
const deploy = (version: Version, wallet: Wallet, payments: readonly Payment[] = [pay(1n)]) =>
  relay({
    address: wallet.address.toRaw(),
    body: bocText(requestTo(version, 0, payments)),
    state_init: initText(wallet),
    value: "200000000",
  });

const actionsAbout = async (hash: string, headers = {}) => {
  const path = `/api/v3/actions?tx_hash=${encodeURIComponent(hash)}&include_accounts=true`;
  const { json } = await service.get(path, { headers });
  const traces = new Set((json as { actions: Action[] }).actions.map(({ trace_id }) => trace_id));
  const all = await service.get(`/api/v3/actions?trace_id=${encodeURIComponent([...traces][0] ?? hash)}`, {
    headers,
  });
  return (all.json as { actions: Action[] }).actions;
};

/** What does not depend on where an action was read: with the gasless request it points to by its destination. */
const shown = (actions: readonly Action[]) =>
  actions
    .map(({ type, success, details, parent_gasless_action: id }) => {
      const parent = actions.find(({ action_id }) => action_id === id);
      return { type, success, details, by: id && [parent!.type, destinationOf(parent!)] };
    })
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
const destinationOf = ({ details }: Action) => (details as { destination?: string }).destination;

describe.each(["v5r1", "tg"] as const)("A gasless request to a wallet %s on a devnet", (version) => {
  const wallet = new Wallet(version, key);
  const own = wallet.address.toRawUpper();

  it("is delivered by the faucet, deploys the wallet, and is beside what the wallet did", async () => {
    const payments = [pay(50_000_000n)];
    const estimated = await service.post("/api/emulate/v1/emulateTrace", {
      boc: bocText(delivery(wallet, requestTo(version, 0, payments))),
      ...withActions,
    });
    const { tx_hash } = await deploy(version, wallet, payments);
    expect(await service.run("getAddressBalance", { address: receiver.toRaw() })).toBe("50000000");
    const by = ["gasless_request", own];
    const carried = { source: faucet, destination: own, value: "200000000" };
    const rows = shown(await actionsAbout(tx_hash));
    expect(rows).toEqual([
      { type: "call_contract", success: true, details: expect.objectContaining(carried), by: undefined },
      { type: "contract_deploy", success: true, details: expect.objectContaining(carried), by },
      { type: "gasless_request", success: true, details: carried, by: undefined },
      {
        type: "ton_transfer",
        success: true,
        details: expect.objectContaining({ source: own, comment: "paid" }),
        by,
      },
    ]);
    expect(shown((estimated.json as { actions: Action[] }).actions)).toEqual(rows);
    const opcodes = rows.map(({ details }) => (details as { opcode?: string }).opcode);
    const signed = version === "tg";
    expect(opcodes[0]).toBe(signed ? "0x63896e74" : "0x73696e74");
    expect(opcodes[1] === opcodes[0]).toBe(!signed);
  });

  it("is unseen by clients of v4", async () => {
    const { tx_hash } = await deploy(version, wallet);
    const types = async (word?: string) =>
      new Set(
        (await actionsAbout(tx_hash, word === undefined ? {} : { "X-Actions-Version": word })).map(
          ({ type }) => type,
        ),
      );
    expect((await types("v4")).has("gasless_request")).toBe(false);
    for (const word of ["v5", "latest", undefined])
      expect((await types(word)).has("gasless_request")).toBe(true);
  });

  it("that the wallet ignores counts as a success, and one that it refuses does not", async () => {
    await deploy(version, wallet);
    const deliver = async (body: Cell) => {
      const receipt = await relay({ address: own, body: bocText(body), status: true });
      const rows = await actionsAbout(receipt.tx_hash);
      return [receipt.status!.status, rows.map(({ type, success }) => [type, success]).sort()];
    };
    const both = (success: boolean) => [
      ["call_contract", success],
      ["gasless_request", success],
    ];
    expect(await deliver(requestTo(version, 1, [pay(1n)], stranger))).toEqual(["completed", both(true)]);
    const [, refused] = await deliver(requestTo(version, 7, [pay(1n)]));
    expect(refused).toEqual(expect.arrayContaining(both(false)));
  });

  it("is the same in the index, in emulations, among pending actions and in streams", async () => {
    await deploy(version, wallet);
    const relayer = new TestWallet("relayer", "v4r2");
    await service.run("devnet.faucet", { address: relayer.address.toRaw() });
    const request = requestTo(version, 1, [pay(30_000_000n), pay(20_000_000n)]);
    const message: Payment = { to: wallet.address, value: 300_000_000n, body: request };
    const boc = bocText(relayer.wallet.order({ seqno: 0, validUntil, payments: [message] }));
    const emulation = await service.post("/api/emulate/v1/emulateTrace", { boc, ...withActions });
    // The relayer is deployed by it, too.
    const emulated = (emulation.json as { actions: Action[] }).actions.filter(({ accounts }) =>
      accounts!.includes(own),
    );

    const stream = RawEventStream.open(
      service.url,
      { types: ["actions"], addresses: [own], min_finality: "pending" },
      { key: service.key },
    );
    onTestFinished(() => stream.close());
    await stream.event("the start", ({ status }) => status === "subscribed");
    await service.run("sendBoc", { boc });
    type Event = { finality?: string; actions?: Action[] };
    const streamed = async (finality: string) =>
      ((await stream.event(`${finality} actions`, (event) => event["finality"] === finality)) as Event)
        .actions!;
    const pendingStreamed = await streamed("pending");
    const pending = (await service.get(`/api/v3/pendingActions?account=${own}`)).json as {
      actions: Action[];
    };
    await service.mine(4);
    const indexed = await service.get(`/api/v3/actions?account=${own}&limit=4`);
    const rows = shown((indexed.json as { actions: Action[] }).actions);
    expect(rows.map(({ type, by }) => [type, by])).toEqual([
      ["call_contract", undefined],
      ["gasless_request", undefined],
      ["ton_transfer", ["gasless_request", own]],
      ["ton_transfer", ["gasless_request", own]],
    ]);
    for (const others of [emulated, pending.actions, pendingStreamed, await streamed("finalized")])
      expect(shown(others)).toEqual(rows);
  });
});

describe("Telegram's wallet on a devnet", () => {
  const wallet = new Wallet("tg", key);
  const own = wallet.address.toRawUpper();
  const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
  /** Changes to the stranger's key. */
  const change = (seqno: number) => {
    const request = keyChange(wallet.address, seqno, stranger);
    const [proof, old] = request.endCell().refs;
    const details = {
      new_public_key: hexOf(stranger.publicKey),
      rotation_signature: hexOf(proof!.parse().loadBytes(64)),
      encrypted_old_private_key: hexOf(old!.parse().loadBytes(32)),
    };
    return { request, details };
  };
  const send = async (body: Cell) => {
    const boc = bocText(externalMessage(wallet.address, body));
    const emulation = await service.post("/api/emulate/v1/emulateTrace", { boc, ...withActions });
    const { hash } = await service.run<{ hash: string }>("sendBocReturnHash", { boc });
    await service.mine(2);
    const { json } = await service.get(`/api/v3/actions?msg_hash=${encodeURIComponent(hash)}`);
    const { actions } = json as { actions: Action[] };
    expect(shown((emulation.json as { actions: Action[] }).actions)).toEqual(shown(actions));
    return actions;
  };

  it("changes its key by a request that another account delivers", async () => {
    await deploy("tg", wallet);
    const { request, details } = change(1);
    const body = signedBy(key, internalForm("tg", request));
    const { tx_hash } = await relay({ address: own, body: bocText(body) });
    const carried = { source: faucet, destination: own, value: "100000000" };
    expect(shown(await actionsAbout(tx_hash))).toEqual([
      {
        type: "change_wallet_key",
        success: true,
        details: { ...carried, ...details },
        by: ["gasless_request", own],
      },
      { type: "gasless_request", success: true, details: carried, by: undefined },
    ]);
  });

  it("changes its key by a request of its owner, and shows a request to it that was paid in vain", async () => {
    await deploy("tg", wallet);
    // Without the flag that ignores errors the wallet pays for the request, and does nothing else.
    const asked = await send(signedBy(key, sendOneRequest(1, pay(7n), { mode: 1 })));
    expect(shown(asked)).toEqual([
      {
        type: "ton_transfer",
        success: false,
        details: expect.objectContaining({ source: own, value: "7", comment: "paid" }),
        by: undefined,
      },
    ]);
    const { request, details } = change(2);
    expect(shown(await send(signedBy(key, request)))).toEqual([
      {
        type: "change_wallet_key",
        success: true,
        details: { source: null, destination: own, value: null, ...details },
        by: undefined,
      },
    ]);
  });

  it("sends many messages by a request that another account delivers, each of which points to it", async () => {
    await deploy("tg", wallet);
    const payments = Array.from({ length: 6 }, (_, i) => pay(BigInt(i + 1) * 1_000_000n));
    const { tx_hash } = await relay({ address: own, body: bocText(requestTo("tg", 1, payments)) });
    const transfers = shown(await actionsAbout(tx_hash)).filter(({ type }) => type === "ton_transfer");
    expect(transfers.map(({ by }) => by)).toEqual(payments.map(() => ["gasless_request", own]));
  });
});
