// Orders for the devnet's wallets, by version.
import {
  type Address,
  beginCell,
  type Cell,
  external,
  internal,
  type MessageRelaxed,
  SendMode,
  type StateInit,
  storeMessage,
  storeMessageRelaxed,
  storeOutList,
} from "@ton/core";
import { type KeyPair, sign } from "@ton/crypto";

export type WalletVersion = "v3r2" | "v4r2" | "v5r1";

/** A wallet of the devnet, with its key. */
export type Account = {
  readonly address: Address;
  readonly version: WalletVersion;
  readonly init: StateInit;
  readonly keys: KeyPair;
};

/** Ids that wallet apps use in workchain 0, so that a mnemonic has the same addresses there. */
const walletIds: Readonly<Record<WalletVersion, number>> = {
  v3r2: 698_983_191,
  v4r2: 698_983_191,
  v5r1: 0x7fffff11,
};
/** v5 takes orders from outside, and inside of messages of others, who pay the fee. */
const prefixes = { external: 0x7369676e, internal: 0x73696e74 };
const sendMode = SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS;

export function isWalletVersion(text: string): text is WalletVersion {
  return Object.hasOwn(walletIds, text);
}

/** The most messages that a wallet sends with one order. */
export function maxMessages(version: WalletVersion): number {
  return version === "v5r1" ? 255 : 4;
}

/** Data of a wallet that has sent nothing. */
export function initialData(version: WalletVersion, publicKey: Buffer): Cell {
  const data = beginCell();
  // v5: is_signature_allowed; v4 and v5: no plugins or extensions
  if (version === "v5r1") data.storeBit(true);
  data.storeUint(0, 32).storeUint(walletIds[version], 32).storeBuffer(publicKey);
  if (version !== "v3r2") data.storeBit(false);
  return data.endCell();
}

/** Messages for a wallet to send. */
export type Order = {
  readonly seqno: number;
  readonly validUntil: number;
  readonly messages: readonly MessageRelaxed[];
};

/** The signed order as a message from outside; the first one deploys a wallet that is not there. */
export function externalOrder(account: Account, order: Order): Cell {
  const message = external({
    to: account.address,
    init: firstInit(account, order),
    body: signedBody(account, order, "external"),
  });
  return beginCell().store(storeMessage(message)).endCell();
}

/** The signed order of a v5 wallet as a message that another sender sends and pays for. */
export function internalOrder(account: Account, order: Order): Cell {
  const message = internal({
    to: account.address,
    value: 0n,
    bounce: true,
    init: firstInit(account, order),
    body: signedBody(account, order, "internal"),
  });
  return beginCell().store(storeMessageRelaxed(message)).endCell();
}

function firstInit({ init }: Account, { seqno }: Order): StateInit | undefined {
  return seqno === 0 ? init : undefined;
}

function signedBody({ version, keys }: Account, order: Order, way: keyof typeof prefixes): Cell {
  const unsigned = version === "v5r1" ? orderV5(order, way) : orderV3V4(version, order);
  const signature = sign(unsigned.hash(), keys.secretKey);
  const body = beginCell();
  if (version !== "v5r1") body.storeBuffer(signature);
  body.storeSlice(unsigned.beginParse());
  if (version === "v5r1") body.storeBuffer(signature);
  return body.endCell();
}

function orderV3V4(version: "v3r2" | "v4r2", { seqno, validUntil, messages }: Order): Cell {
  const order = beginCell().storeUint(walletIds[version], 32).storeUint(validUntil, 32).storeUint(seqno, 32);
  // op 0 of v4 is a transfer.
  if (version === "v4r2") order.storeUint(0, 8);
  for (const message of messages)
    order.storeUint(sendMode, 8).storeRef(beginCell().store(storeMessageRelaxed(message)));
  return order.endCell();
}

function orderV5({ seqno, validUntil, messages }: Order, way: keyof typeof prefixes): Cell {
  const actions = messages.map((outMsg) => ({ type: "sendMsg", mode: sendMode, outMsg }) as const);
  return beginCell()
    .storeUint(prefixes[way], 32)
    .storeUint(walletIds.v5r1, 32)
    .storeUint(validUntil, 32)
    .storeUint(seqno, 32)
    .storeMaybeRef(beginCell().store(storeOutList(actions)).endCell())
    .storeBit(false)
    .endCell();
}
