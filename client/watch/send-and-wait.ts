import type { Caller } from "../caller.js";
import type { PollOptions } from "../chain/poll.js";
import {
  type SendOptions,
  type Sent,
  type SentTrace,
  sendAndFollow,
  type UntilTransaction,
} from "../chain/send-and-wait.js";
import { followBy } from "./message-news.js";

/**
 * `sendAndWait` of the client, with the same options and results. It looks for the transaction or the final status when
 * the service announces it over a WebSocket. Without a WebSocket it polls.
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
  return sendAndFollow(client, boc, options, followBy(client));
}
