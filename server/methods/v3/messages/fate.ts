import type { MessageStatus } from "../../../../shared/schema/v3/message-status.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { bytesEqual, bytesToBase64 } from "../../../../shared/values/bytes.js";
import {
  nextSeqno,
  readableWallet,
  readWalletRequest,
  type WalletRequest,
} from "../../../contracts/wallet-request.js";
import type { KnownMessage, Sending } from "./known-message.js";

/** The receiver of an external message, as of a block up to which the message was not received. */
export type Receiver = {
  /** In base64; `undefined` without code. */
  codeHash: string | undefined;
  data: () => Cell | undefined;
  /** Minimum unix time of later blocks in its shard; `undefined` if unknown. */
  utime: number | undefined;
  /** Unix time from which all blocks are known; 0: the whole chain. */
  knownSince: number;
};

/** How long a sent message may wait for a block, ms. */
type Patience = { readonly now: number; readonly lifetimeMs: number };

type Wallet = NonNullable<Extract<MessageStatus, { status: "pending" }>["wallet"]>;
type Request = { wallet: Wallet; asked: WalletRequest };

/**
 * Outcome of a message that is in no known block. `replaced`: its seqno has been used; `isCertain`: by another message,
 * even if that is not found.
 */
export type Fate =
  | { readonly kind: "pending"; readonly wallet: Wallet | null }
  | { readonly kind: "dropped"; readonly wallet: Wallet | null; readonly sentUtime: number }
  | { readonly kind: "expired"; readonly wallet: Wallet }
  | { readonly kind: "replaced"; readonly wallet: Wallet; readonly isCertain: boolean }
  | {
      readonly kind: "unknown";
      readonly wallet: Wallet | null;
      readonly reason: Extract<MessageStatus, { status: "unknown" }>["reason"];
    };

/** The outcome of an external message that is in no known block. */
export function fateOf(message: KnownMessage, receiver: Receiver, patience: Patience): Fate {
  const request = requestOf(message, receiver);
  const wallet = typeof request === "string" ? null : request.wallet;
  if (typeof request === "object") {
    const end = endOf(request, message, receiver);
    if (end) return end;
  }
  const { sending } = message;
  if (sending) {
    const isOver = sending.isVoid || patience.now - sending.at > patience.lifetimeMs;
    if (!isOver) return { kind: "pending", wallet };
    if (!isCovered(message, receiver)) return { kind: "unknown", wallet, reason: "before_index" };
    return { kind: "dropped", wallet, sentUtime: utimeOf(sending) };
  }
  if (typeof request === "string") return { kind: "unknown", wallet, reason: request };
  const { seqno, next_seqno: next } = request.wallet;
  const isAhead = seqno !== null && next !== null && seqno > next;
  return { kind: "unknown", wallet, reason: isAhead ? "seqno_ahead" : "acceptable" };
}

/** The reason why no later block can include it, if there is one. */
function endOf({ wallet, asked }: Request, message: KnownMessage, receiver: Receiver): Fate | undefined {
  const { seqno, next_seqno: next } = wallet;
  const { utime, knownSince } = receiver;
  if (seqno !== null && next !== null && seqno < next)
    return { kind: "replaced", wallet, isCertain: isCovered(message, receiver) };
  const { validUntil, createdAt } = asked;
  if (validUntil === undefined || utime === undefined || utime < validUntil) return undefined;
  // An unused seqno shows that the message was not received before the known blocks either.
  const isUnused = seqno !== null && next !== null;
  const isYounger = createdAt !== undefined && knownSince <= createdAt;
  return isUnused || isYounger || isCovered(message, receiver)
    ? { kind: "expired", wallet }
    : { kind: "unknown", wallet, reason: "before_index" };
}

/** Whether the known blocks would have the message if any block had it. */
function isCovered({ sending }: KnownMessage, { knownSince }: Receiver): boolean {
  return knownSince === 0 || (sending !== undefined && knownSince <= utimeOf(sending));
}

function utimeOf({ at }: Sending): number {
  return Math.floor(at / 1000);
}

/** The request to the wallet, or the reason why there is none. */
function requestOf(
  { message: { body, init }, to }: KnownMessage,
  receiver: Receiver,
): Request | "no_account" | "unknown_contract" | "unreadable" {
  if (!to) return "no_account";
  // A wallet that is not deployed yet is deployed by its first message.
  const deployed = init && bytesEqual(init.cell.hash(), to.hash) ? init.value : undefined;
  const codeHash = receiver.codeHash ?? (deployed?.code && bytesToBase64(deployed.code.hash()));
  if (codeHash === undefined) return "no_account";
  const name = readableWallet(codeHash);
  if (name === undefined) return "unknown_contract";
  const asked = readWalletRequest(name, body);
  if (!asked) return "unreadable";
  const data = receiver.codeHash === undefined ? deployed?.data : receiver.data();
  const wallet = {
    account: to.toRawUpper(),
    interface: name,
    seqno: asked.seqno ?? null,
    next_seqno: (data && nextSeqno(name, data)) ?? null,
    valid_until: asked.validUntil ?? null,
  };
  return { wallet, asked };
}
