// Requests to wallets: by version, the request and the position of its signature.

import { type Builder, beginCell } from "../../shared/ton/cells/builder.js";
import type { Cell } from "../../shared/ton/cells/cell.js";
import { CellOf } from "../../shared/ton/tlb/cell-of.js";
import { encode } from "../../shared/ton/tlb/codec.js";
import { onlyCoins } from "../../shared/ton/tlb/currency-collection.js";
import { composeMessageRelaxed, MessageRelaxed } from "../../shared/ton/tlb/message.js";
import { encodeOutList, type OutAction } from "../../shared/ton/tlb/out-action.js";
import type { StateInit } from "../../shared/ton/tlb/state-init.js";
import type { Address } from "../../shared/values/address.js";
import { tgWalletOpcodes } from "../../shared/values/tg-wallet.js";

/** A message for a wallet to send. */
export type Payment = {
  to: Address;
  value: bigint;
  body?: Cell | undefined;
  /** Deploys the destination. */
  init?: StateInit | undefined;
  /** Whether the value is returned if the destination fails. Default: true. */
  bounce?: boolean | undefined;
};

/** A request to a wallet to send messages. */
export type Order = {
  /** The wallet's current seqno. */
  seqno: number;
  /** Unix time when it expires. */
  validUntil: number;
  /** At most 4; at most 255 for v5 and tg. */
  payments: readonly Payment[];
  /** Default 3: fees are paid separately (1), errors are ignored (2). */
  sendMode?: number | undefined;
};

/** Versions of wallets with different requests. */
export type OrderForm = "v3" | "v4" | "v5" | "tg";

/** By wallet name. */
export const orderForms: Readonly<Record<string, OrderForm>> = {
  "wallet v3 r1": "v3",
  "wallet v3 r2": "v3",
  "wallet v4 r1": "v4",
  "wallet v4 r2": "v4",
  "wallet v5 r1": "v5",
  "tg wallet": "tg",
};

/** `prefix#7369676e` ("sign"): a signed external request. */
export const signedRequest = 0x7369676e;
const ignoreErrors = 2;

/** The signed part of a request. `walletId` is the one in the wallet's data. */
export function unsignedOrder(form: OrderForm, walletId: number, order: Order): Builder {
  if (form === "tg") return orderTg(walletId, order);
  return form === "v5" ? orderV5(walletId, order) : orderV3V4(form, walletId, order);
}

/** The body of the external message. */
export function signedOrder(form: OrderForm, unsigned: Builder, signature: Uint8Array): Cell {
  const body =
    form === "v5" ? unsigned.storeBytes(signature) : beginCell().storeBytes(signature).storeBuilder(unsigned);
  return body.endCell();
}

function orderV3V4(form: "v3" | "v4", walletId: number, order: Order): Builder {
  const { payments, sendMode = 3 } = order;
  const builder = limitsOf(walletId, order);
  // op 0 of v4 is a transfer.
  if (form === "v4") builder.storeUint(0, 8);
  for (const payment of payments) builder.storeUint(sendMode, 8).storeRef(requestedMessage(payment));
  return builder;
}

function orderV5(walletId: number, order: Order): Builder {
  const { payments, sendMode = 3 } = order;
  // The contract requires mode 2 in external requests: a request that failed in the action phase could otherwise be
  // replayed forever.
  const mode = sendMode | ignoreErrors;
  const actions = payments.map((payment): OutAction => {
    const outMsg = CellOf.in(MessageRelaxed, requestedMessage(payment));
    return { kind: "sendMsg", mode, outMsg };
  });
  return beginCell()
    .storeUint(signedRequest, 32)
    .storeBuilder(limitsOf(walletId, order))
    .storeMaybeRef(encodeOutList(actions))
    .storeBit(false);
}

function orderTg(walletId: number, order: Order): Builder {
  const { payments, sendMode = 3 } = order;
  // As in v5.
  const mode = sendMode | ignoreErrors;
  const [only] = payments.length === 1 ? payments : [];
  const { external } = only ? tgWalletOpcodes.sendOne : tgWalletOpcodes.sendBulk;
  const builder = beginCell().storeUint(external, 32).storeBuilder(limitsOf(walletId, order));
  return only
    ? builder.storeUint(mode, 8).storeRef(requestedMessage(only))
    : builder.storeUint(payments.length, 8).storeMaybeRef(chunkOf(payments, mode));
}

/** Which wallet may run the request, until when, and as which of its requests. */
function limitsOf(walletId: number, { validUntil, seqno }: Order): Builder {
  return beginCell().storeUint(walletId, 32).storeUint(validUntil, 32).storeUint(seqno, 32);
}

/** Each cell has three messages and the next cell, the last one up to four messages. */
function chunkOf(payments: readonly Payment[], mode: number): Cell | undefined {
  if (payments.length === 0) return undefined;
  const own = payments.length > 4 ? payments.slice(0, 3) : payments;
  const chunk = beginCell().storeMaybeRef(chunkOf(payments.slice(own.length), mode));
  for (const payment of own) chunk.storeUint(mode, 8).storeRef(requestedMessage(payment));
  return chunk.endCell();
}

/** The message in a request to a contract that sends messages for its owners. */
export function requestedMessage({ to, value, body, init, bounce = true }: Payment): Cell {
  const info = {
    kind: "internal",
    ihrDisabled: true,
    bounce,
    bounced: false,
    src: undefined,
    dest: to,
    value: onlyCoins(value),
    extraFlags: 0n,
    fwdFee: 0n,
    createdLt: 0n,
    createdAt: 0,
  } as const;
  return encode(MessageRelaxed, composeMessageRelaxed({ info, init, body }));
}
