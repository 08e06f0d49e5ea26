import { isFinalStatus } from "../../shared/values/final-status.js";
import type { MessageStatus } from "../api.js";
import type { Caller } from "../caller.js";
import { meanwhile, type PollOptions, poll } from "../chain/poll.js";
import { type FoundTransaction, type Sent, send } from "../chain/send-and-wait.js";
import { isMissingMethod } from "../errors.js";

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
  const { hash, hashNorm, end, found } = await send(client, boc, options);
  const ask = async () => {
    const called = client.call("v3.messageStatus", { hash }, meanwhile(options, end));
    const status = (await called) as MessageStatus;
    // Without an index no more can be said.
    const isLast = isFinalStatus(status.status) || (status.status === "included" && status.trace_id === null);
    return isLast ? status : undefined;
  };
  try {
    return { hash, hashNorm, status: await poll(`the status of message ${hash}`, ask, options, end) };
  } catch (error) {
    if (!isMissingMethod(error)) throw error;
    return { ...(await found()), status: undefined, reason: "the service has no v3.messageStatus" };
  }
}
