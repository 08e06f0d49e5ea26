import type { SubscribeParams } from "../api.js";
import type { Caller } from "../caller.js";
import { platformClock } from "../defaults.js";
import { isMissingMethod } from "../errors.js";
import type { Clock, Heard } from "../transports/transport.js";
import { Connections, type Subscribed } from "./connections.js";
import { defaultWindow } from "./defaults.js";
import { EventStream } from "./stream.js";
import { startAtOwnService, subscribeAtTonCenter } from "./ton-center.js";
import type {
  AccountOptions,
  ActionOptions,
  BlockOptions,
  JettonOptions,
  MessageOptions,
  Place,
  StreamOptions,
  TonCenterOptions,
  TraceOptions,
  TracesOptions,
  TransactionOptions,
  WatchedAccount,
  WatchedAction,
  WatchedBlock,
  WatchedJetton,
  WatchedMessage,
  WatchedTrace,
  WatchedTransaction,
} from "./types.js";

/** Events for `for await`, on demand. */
export interface WatchStream<T> extends AsyncIterableIterator<T> {
  /** Cursor of the last event that the loop has taken; `undefined` until it is known. Give it back as `from`. */
  readonly cursor: string | undefined;
  /** Ends the subscription, as leaving the loop does. */
  return(): Promise<IteratorResult<T, undefined>>;
}

/** A message: its normalized hash, or what the call returned that sent it. */
export type SentMessage = string | SendResult;

/** The result of a call that sends a message. */
export type SendResult = {
  /** Normalized hash, from `sendAndWait`. */
  readonly hashNorm?: string | undefined;
  /** Normalized hash, from `sendBocReturnHash`. */
  readonly hash_norm?: string | undefined;
};

/** Events of the chain as async iterables. Each can be iterated once. */
export interface Watch {
  /** Masterchain blocks. */
  blocks(options?: BlockOptions): WatchStream<WatchedBlock>;
  /** Transactions, each once, in order. */
  transactions(options?: TransactionOptions): WatchStream<WatchedTransaction>;
  /** Actions of traces. */
  actions(options?: ActionOptions): WatchStream<WatchedAction>;
  /** Complete traces. */
  traces(options?: TracesOptions): WatchStream<WatchedTrace>;
  /** States of accounts. */
  accounts(options?: AccountOptions): WatchStream<WatchedAccount>;
  /** Jetton wallets. */
  jettons(options?: JettonOptions): WatchStream<WatchedJetton>;
  /** One trace as it grows, by the normalized hash of its message or by its id. Ends when it is complete or invalidated. */
  trace(message: SentMessage, options?: TraceOptions): WatchStream<WatchedTrace>;
  /**
   * The status of a message, first as it is now, then after each change. Ends with the final status, or when the status has
   * been unknown for `wait` seconds, by default 600.
   */
  message(message: SentMessage, options?: MessageOptions): WatchStream<WatchedMessage>;
}

/** Options of `watch`. */
export type WatchSettings = {
  /** Events that may wait for a loop, from 1 to 10,000. */
  readonly window?: number | undefined;
  /** For services without subscriptions: finalized transactions of accounts come by TON Center's streaming protocol. */
  readonly tonCenter?: TonCenterOptions | undefined;
  /** Clock, replaceable in tests. */
  readonly clock?: Clock | undefined;
  /** Random source, 0 to 1; replaceable in tests. */
  readonly random?: (() => number) | undefined;
};

/** The member of events that has the record, by what is watched. */
const records = {
  blocks: "block",
  transactions: "transaction",
  actions: "action",
  traces: "trace",
  accounts: "account",
  jettons: "jetton",
  trace: "trace",
  message: "message",
} as const;

/**
 * Subscriptions over the WebSocket of a client, which carries its calls, too. They continue from their cursors when the
 * connection is lost, so that no event is lost or repeated. Each client has one such object, also as its member
 * `watch`.
 */
export function watch(client: Pick<Caller, "call">, settings: WatchSettings = {}): Watch {
  return watchService(client, settings, (params, error, clock) => {
    if (!isMissingMethod(error)) throw error;
    return subscribeAtTonCenter({ client, clock, ...settings.tonCenter }, params, error);
  });
}

/** `elsewhere` subscribes if the service refuses. Without it the bundle has nothing of TON Center's protocol. */
export function watchService(
  client: Pick<Caller, "call">,
  { window = defaultWindow, clock = platformClock, random = Math.random }: WatchSettings = {},
  elsewhere?: (params: SubscribeParams, error: unknown, clock: Clock) => Subscribed | Promise<Subscribed>,
): Watch {
  const watched = client as { watch?: Watch & { readonly heard: Heard } };
  if ("watch" in client) return watched.watch!;
  const connections = new Connections(client, clock);
  const subscribe = async (params: SubscribeParams) => {
    try {
      return await connections.subscribe({ ...params, from: startAtOwnService(params.from) });
    } catch (error) {
      if (!elsewhere) throw error;
      return elsewhere(params, error, clock);
    }
  };
  const stream = <T extends Place>(
    kind: keyof typeof records,
    options: StreamOptions = {},
    hash?: string,
  ) => {
    const { signal: _, onReset: __, onStatus: ___, ...filters } = options;
    const params = {
      ...filters,
      kind,
      window,
      ...(hash !== undefined && { [kind]: hash }),
    } as SubscribeParams;
    return new EventStream<T>({ subscribe, params, record: records[kind], clock, random }, options);
  };
  watched.watch = {
    heard: connections.heard,
    blocks: (options) => stream("blocks", options),
    transactions: (options) => stream("transactions", options),
    actions: (options) => stream("actions", options),
    traces: (options) => stream("traces", options),
    accounts: (options) => stream("accounts", options),
    jettons: (options) => stream("jettons", options),
    trace: (message, options) => stream("trace", options, hashOf(message)),
    message: (message, options) => stream("message", options, hashOf(message)),
  };
  return watched.watch;
}

function hashOf(message: SentMessage): string {
  const { hashNorm, hash_norm: hash = hashNorm } = (
    typeof message === "string" ? { hashNorm: message } : message
  ) as SendResult;
  if (hash === undefined) throw new TypeError("the service did not return the hash of the message");
  return hash;
}
