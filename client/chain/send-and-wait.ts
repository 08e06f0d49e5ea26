import { isFinalStatus } from "../../shared/values/final-status.js";
import type { MessageStatus } from "../api.js";
import type { CallOptions } from "../call-options.js";
import type { Caller } from "../caller.js";
import { platformClock } from "../defaults.js";
import { isMissingMethod, isRpcError, RpcError } from "../errors.js";
import { readBag } from "../values/bag-of-cells.js";
import { readExternalMessage } from "./external-message.js";
import type { FoundTransaction } from "./found-transaction.js";
import { endOf, meanwhile, type News, type PollOptions, poll } from "./poll.js";
import { TransactionFinder } from "./transaction-finder.js";

type Hashes = {
  /** Hash of the message as sent. */
  readonly hash: string;
  /** Normalized hash, which does not depend on the packing; `undefined` if the service does not return it. */
  readonly hashNorm: string | undefined;
};

/** A message that was sent, and the transaction it caused. */
export type Sent = Hashes & FoundTransaction;

/** A message that was sent, and what became of it. */
export type SentTrace = Hashes &
  (
    | {
        /** The final status: `completed`, `expired` or `dropped`; `text` has it in words. */
        readonly status: MessageStatus;
        /** Whether the message was received, and no transaction that followed has failed. */
        readonly success: boolean;
        /** The status has it. */
        readonly transaction?: undefined;
        /** There is a status. */
        readonly reason?: undefined;
      }
    | (FoundTransaction & {
        /** Absent at services that do not know traces: only the transaction of the message is known. */
        readonly status: undefined;
        readonly success: undefined;
        /** Why there is no status. */
        readonly reason: string;
      })
  );

/** With this, `sendAndWait` returns the transaction of the message as soon as there is one. */
export type UntilTransaction = {
  /** The end of the wait. */
  readonly until: "transaction";
};

/** Options of both kinds of `sendAndWait`. */
export type SendOptions = PollOptions & {
  /** The end of the wait. Default: `trace`, when everything that follows has happened. */
  readonly until?: "trace" | "transaction" | undefined;
};

/** Follows a message by its normalized hash. `isNews` selects the statuses after which it is worthwhile to look again. */
export type Follow = (hashNorm: string, isNews: (status: MessageStatus) => boolean) => Followed;
/** News of a message that is followed. */
export type Followed = News & {
  /** Stops following. */
  end(): void;
};

/**
 * Sends an external message (a bag of cells in base64) and polls for what becomes of it: until everything that follows has
 * happened, or with `until` for its transaction, which may have failed. The message is never sent twice; one that a wallet has
 * sent already is only followed. Services that know no traces have the transaction, and the result says so. Throws a
 * TypeError for anything but an external message to a standard address, and an `RpcError` with code `timeout` if the end does
 * not come in time: its `sent` is what was known by then.
 */
export function sendAndWait(
  client: Caller,
  boc: string,
  options: PollOptions & UntilTransaction,
): Promise<Sent>;
export function sendAndWait(client: Caller, boc: string, options?: SendOptions): Promise<SentTrace>;
export function sendAndWait(
  client: Caller,
  boc: string,
  options: SendOptions = {},
): Promise<Sent | SentTrace> {
  return sendAndFollow(client, boc, options);
}

/** `sendAndWait` that polls, or with `follow` learns when to look. */
export async function sendAndFollow(
  client: Caller,
  boc: string,
  options: SendOptions,
  follow?: Follow,
): Promise<Sent | SentTrace> {
  const message = readExternalMessage(readBag(boc));
  if (!message) throw new TypeError("not an external message to a standard address");
  const { clock = platformClock, until = "trace" } = options;
  const since = clock.now() / 1000 - clockSkew;
  const end = endOf(options);
  const callOptions = () => meanwhile(options, end);
  const { hash, hashNorm } = await send(client, boc, callOptions);
  const news =
    hashNorm === undefined ? undefined : follow?.(hashNorm, until === "trace" ? isLast : isReceived);
  const finder = new TransactionFinder(client, message, hashNorm, since, callOptions);
  let asked: object = { hash };
  let withoutStatus: object | undefined;
  let known: MessageStatus | undefined;
  const ask = async () => {
    if (until === "trace" && !withoutStatus)
      try {
        const status = await statusOf(client, { ...asked, include_text: true }, callOptions());
        // Another process of the service may not know the hash of what this one was sent.
        if (status.status === "unknown") asked = { boc };
        if (isFinalStatus(status.status))
          return { status, success: "success" in status && status.success === true };
        known = status;
        if (!isLast(status)) return;
        withoutStatus = noStatus("the service has no index");
      } catch (error) {
        if (!isMissingMethod(error)) throw error;
        withoutStatus = noStatus("the service has no v3.messageStatus");
      }
    const found = await finder.find();
    return found && { ...found, ...withoutStatus };
  };
  try {
    const what = `the ${until} of message ${hash}`;
    return { hash, hashNorm, ...(await poll<object>(what, ask, options, end, news)) } as Sent | SentTrace;
  } catch (error) {
    if (!isRpcError(error, "timeout")) throw error;
    throw new RpcError(error.code, error.shortMessage, { ...error, sent: { hash, hashNorm, status: known } });
  } finally {
    news?.end();
  }
}

const noStatus = (reason: string) => ({ status: undefined, success: undefined, reason });

/**
 * Sends the message. Wallets send their messages themselves: one that is refused as it was sent before is known to the
 * service, and followed like any other.
 */
async function send(client: Caller, boc: string, callOptions: () => CallOptions): Promise<Hashes> {
  try {
    const sent = await client.call("sendBocReturnHash", { boc }, callOptions());
    const { hash, hash_norm: hashNorm } = sent as { hash: string; hash_norm?: string };
    return { hash, hashNorm };
  } catch (refusal) {
    if (!isRpcError(refusal, "message-rejected")) throw refusal;
    // A service without statuses cannot say that it knows the message.
    const known = await statusOf(client, { boc }, callOptions()).catch(() => undefined);
    if (!known || !("block" in known || known.status === "pending")) throw refusal;
    return { hash: known.message_hash, hashNorm: known.message_hash_norm ?? undefined };
  }
}

function statusOf(client: Caller, params: object, options: CallOptions): Promise<MessageStatus> {
  return client.call("v3.messageStatus" as string, params, options) as Promise<MessageStatus>;
}

/**
 * Whether the service will have no further status. Without an index, a status only shows that a message is in a block.
 */
function isLast(status: MessageStatus): boolean {
  return isFinalStatus(status.status) || ("trace_id" in status && status.trace_id === null);
}

function isReceived(status: MessageStatus): boolean {
  return "transaction" in status;
}

/** Seconds by which the chain's clock may be behind this machine's clock. */
const clockSkew = 60;
