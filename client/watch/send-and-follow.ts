import { isFinalStatus } from "../../shared/values/final-status.js";
import type { MessageStatus } from "../api.js";
import type { Caller } from "../caller.js";
import { endOf, meanwhile, type PollOptions, poll } from "../chain/poll.js";
import { type FoundTransaction, type Sent, sendAndWait } from "../chain/send-and-wait.js";
import { isRpcError } from "../errors.js";

/** A message that was sent, and what became of it. */
export type SentStatus = Pick<Sent, "hash" | "hashNorm"> &
  (
    | {
        /** The final status: `completed`, `expired` or `dropped`; `included` at services without an index. */
        readonly status: MessageStatus;
      }
    | (FoundTransaction & {
        /** The service does not tell it: only the transaction of the message is known. */
        readonly status: undefined;
        /** Why there is no status. */
        readonly reason: string;
      })
  );

/** Sends a message and waits for its final status; at services that do not tell it, for its transaction. */
export async function sendAndFollow(client: Caller, boc: string, options: PollOptions): Promise<SentStatus> {
  const end = endOf(options);
  let sent: { readonly hash: string; readonly hash_norm?: string } | undefined;
  let status: MessageStatus | undefined;
  const call = async (method: string, params?: object, callOptions?: object) => {
    if (method !== "sendBocReturnHash") return client.call(method as string, params, callOptions);
    sent = (await client.call(method as string, params, callOptions)) as typeof sent;
    status = await poll(`the status of message ${sent!.hash}`, ask, options, end).catch(unlessMissing);
    if (status) throw followed;
    return sent;
  };
  const ask = async () => {
    const params = { hash: sent!.hash };
    const found = (await client.call("v3.messageStatus", params, meanwhile(options, end))) as MessageStatus;
    // Without an index no more can be said.
    const isLast = isFinalStatus(found.status) || (found.status === "included" && found.trace_id === null);
    return isLast ? found : undefined;
  };
  try {
    const found = await sendAndWait({ call: call as Caller["call"], close() {} }, boc, options);
    return { ...found, status: undefined, reason: "the service has no v3.messageStatus" };
  } catch (error) {
    if (error !== followed) throw error;
    return { hash: sent!.hash, hashNorm: sent!.hash_norm, status: status! };
  }
}

/** Ends `sendAndWait` once there is a status. */
const followed = new Error("the status is known");

function unlessMissing(error: unknown): undefined {
  const isMissing = isRpcError(error) && missing.includes(error.code);
  if (!isMissing) throw error;
}

/** Error codes of services without the method. */
const missing: readonly string[] = ["unknown-method", "unknown-route", "wrong-verb"];
