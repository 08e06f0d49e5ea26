// Orders for the devnet's wallets, by version.
import {
  type Address,
  type Builder,
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
import { tgWalletId, tgWalletOpcodes } from "../../shared/values/tg-wallet.js";

/** `tg` is Telegram's wallet. */
export type WalletVersion = "v3r2" | "v4r2" | "v5r1" | "tg";

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
  tg: tgWalletId,
};
/** Opcodes of orders from outside, and inside of messages of others, who pay the fee. */
const prefixes = { external: 0x7369676e, internal: 0x73696e74 };
type Way = keyof typeof prefixes;
const sendMode = SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS;

export function isWalletVersion(text: string): text is WalletVersion {
  return Object.hasOwn(walletIds, text);
}

/** Whether the wallet also takes orders inside of messages of others. */
export function takesInternalOrders(version: WalletVersion): boolean {
  return version === "v5r1" || version === "tg";
}

/** The most messages that a wallet sends with one order. */
export function maxMessages(version: WalletVersion): number {
  return version === "v5r1" || version === "tg" ? 255 : 4;
}

/** Data of a wallet that has sent nothing. */
export function initialData(version: WalletVersion, publicKey: Buffer): Cell {
  const data = beginCell();
  // v5: is_signature_allowed; tg: the revision of the form; v4 and v5: no plugins or extensions
  if (version === "v5r1") data.storeBit(true);
  if (version === "tg") data.storeUint(0, 8);
  data.storeUint(0, 32).storeUint(walletIds[version], 32).storeBuffer(publicKey);
  if (version === "v4r2" || version === "v5r1") data.storeBit(false);
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

/** The signed order of a v5 or tg wallet as a message that another sender sends and pays for. */
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

function signedBody({ version, keys }: Account, order: Order, way: Way): Cell {
  const unsigned = unsignedOrder(version, order, way);
  const signature = sign(unsigned.hash(), keys.secretKey);
  const body = beginCell();
  if (version !== "v5r1") body.storeBuffer(signature);
  body.storeSlice(unsigned.beginParse());
  if (version === "v5r1") body.storeBuffer(signature);
  return body.endCell();
}

function unsignedOrder(version: WalletVersion, order: Order, way: Way): Cell {
  if (version === "tg") return orderTg(order, way);
  return version === "v5r1" ? orderV5(order, way) : orderV3V4(version, order);
}

function orderV3V4(version: "v3r2" | "v4r2", order: Order): Cell {
  const unsigned = limitsOf(version, order);
  // op 0 of v4 is a transfer.
  if (version === "v4r2") unsigned.storeUint(0, 8);
  for (const message of order.messages) storeSending(unsigned, message);
  return unsigned.endCell();
}

function orderV5(order: Order, way: Way): Cell {
  const actions = order.messages.map((outMsg) => ({ type: "sendMsg", mode: sendMode, outMsg }) as const);
  return beginCell()
    .storeUint(prefixes[way], 32)
    .storeBuilder(limitsOf("v5r1", order))
    .storeMaybeRef(beginCell().store(storeOutList(actions)).endCell())
    .storeBit(false)
    .endCell();
}

function orderTg(order: Order, way: Way): Cell {
  const { messages } = order;
  const [only] = messages.length === 1 ? messages : [];
  const unsigned = beginCell()
    .storeUint((only ? tgWalletOpcodes.sendOne : tgWalletOpcodes.sendBulk)[way], 32)
    .storeBuilder(limitsOf("tg", order));
  if (only) storeSending(unsigned, only);
  else unsigned.storeUint(messages.length, 8).storeMaybeRef(chunkOf(messages));
  return unsigned.endCell();
}

/** Which wallet may carry out the order, until when, and as which of its orders. */
function limitsOf(version: WalletVersion, { validUntil, seqno }: Order): Builder {
  return beginCell().storeUint(walletIds[version], 32).storeUint(validUntil, 32).storeUint(seqno, 32);
}

/** Each cell has three messages and the next cell, the last one up to four messages. */
function chunkOf(messages: readonly MessageRelaxed[]): Cell | null {
  if (messages.length === 0) return null;
  const own = messages.length > 4 ? messages.slice(0, 3) : messages;
  const chunk = beginCell().storeMaybeRef(chunkOf(messages.slice(own.length)));
  for (const message of own) storeSending(chunk, message);
  return chunk.endCell();
}

function storeSending(order: Builder, message: MessageRelaxed): void {
  order.storeUint(sendMode, 8).storeRef(beginCell().store(storeMessageRelaxed(message)));
}
