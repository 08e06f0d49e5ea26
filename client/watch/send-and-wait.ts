import { isFinalStatus } from "../../shared/values/final-status.js";
import type { Caller } from "../caller.js";
import { endOf, type PollOptions } from "../chain/poll.js";
import { type Sent, sendAndWait as sendAndPoll } from "../chain/send-and-wait.js";
import { platformClock } from "../defaults.js";
import type { Clock } from "../transports/transport.js";
import { type SentStatus, sendAndFollow } from "./send-and-follow.js";
import type { WatchedTrace } from "./types.js";
import { watch } from "./watch.js";

/** While the trace of a message is watched, its transaction is asked for this seldom without news. */
const quietMs = 5000;

/** With this, `sendAndWait` returns what became of the message. */
export type StatusOption = {
  /** Whether to wait until everything that follows has happened. */
  readonly status: true;
};

/**
 * Sends an external message and waits for its transaction, as `sendAndWait` of the client does, but asks for it when the
 * service tells that it is in a block. Without a WebSocket it polls. With `status` it waits for the final status of the
 * message; at services that do not tell it, it returns the transaction and says so.
 */
export function sendAndWait(
  client: Caller,
  boc: string,
  options: PollOptions & StatusOption,
): Promise<SentStatus>;
export function sendAndWait(client: Caller, boc: string, options?: PollOptions): Promise<Sent>;
export async function sendAndWait(
  client: Caller,
  boc: string,
  options: PollOptions & Partial<StatusOption> = {},
): Promise<Sent | SentStatus> {
  const { clock = platformClock } = options;
  const end = endOf(options);
  const left = new AbortController();
  let isQuiet = false;
  let wake = () => {};
  const follow = async (hashNorm: string) => {
    const onStatus = (status: string) => {
      isQuiet = status !== "connecting";
    };
    try {
      const { signal } = left;
      if (options.status) {
        for await (const { message } of watch(client).message(hashNorm, { signal, onStatus }))
          if (isFinalStatus(message.status)) break;
      } else {
        const followed = { finality: "pending", signal, onStatus } as const;
        for await (const event of watch(client).trace(hashNorm, followed)) if (isInBlock(event)) break;
      }
    } catch {
      // There are no subscriptions, or nobody waits any more.
    }
    isQuiet = false;
    wake();
  };
  const call = async (method: string, params?: object, callOptions?: object) => {
    const result = await client.call(method, params, callOptions);
    const { hash_norm: hashNorm } = result as { hash_norm?: string };
    if (method === "sendBocReturnHash" && hashNorm !== undefined) void follow(hashNorm);
    return result;
  };
  const woken: Clock = {
    now: () => clock.now(),
    setTimeout: (run, ms) => {
      const timer = clock.setTimeout(run, isQuiet ? Math.min(Math.max(ms, quietMs), end - clock.now()) : ms);
      wake = () => {
        wake = () => {};
        clock.clearTimeout(timer);
        run();
      };
      return timer;
    },
    clearTimeout: (timer) => {
      wake = () => {};
      clock.clearTimeout(timer);
    },
  };
  try {
    const caller = { call: call as Caller["call"], close() {} };
    const send = options.status ? sendAndFollow : sendAndPoll;
    return await send(caller, boc, { ...options, clock: woken });
  } finally {
    left.abort();
  }
}

/** Whether the first transaction of a trace has happened. */
function isInBlock({ trace: { trace: root, transactions } }: WatchedTrace): boolean {
  return transactions?.[root?.tx_hash ?? ""]?.emulated === false;
}
