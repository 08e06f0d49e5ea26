import type { StreamEvent, StreamEventInvalidated, StreamEventReverted, SubscribeParams } from "../api.js";
import type { SocketConstructor } from "../transports/web-socket.js";
import type { SubscriptionStart } from "./start.js";

/** From emulated to registered by the masterchain. */
export type Finality = NonNullable<SubscribeParams["finality"]>;

/** Position of an event. */
export type Place = {
  /** How final it is. */
  readonly finality: Finality;
  /** Pass it as `from` to continue after this event. Events that are not final have none. */
  readonly cursor?: string | undefined;
  /** An event that was not final comes again with the same id once it is. */
  readonly id?: string | undefined;
  /** The id under which the same was sent before it was final, if that was another one. */
  readonly replaces?: string | undefined;
};

/** The record of an event, and its place. */
type Watched<Type extends StreamEvent["type"]> = Omit<Extract<StreamEvent, { type: Type }>, "type"> & Place;

/** A masterchain block. */
export type WatchedBlock = Watched<"block">;
/** A transaction. */
export type WatchedTransaction = Watched<"transaction">;
/** An action of a trace. */
export type WatchedAction = Watched<"action">;
/** A trace with its transactions. */
export type WatchedTrace = Watched<"trace">;
/** The status of a message. */
export type WatchedMessage = Watched<"message">;
/** A new state of an account. */
export type WatchedAccount = Watched<"account">;
/** A jetton wallet that changed. */
export type WatchedJetton = Watched<"jetton">;

/** Earlier events that are void. */
export type Reset =
  /** Events of this trace that were not final are void. */
  | StreamEventInvalidated
  /** Everything above this masterchain block, final or not. Happens on a devnet only. */
  | StreamEventReverted
  /** All events that are not final are void: their traces were not followed to the end. */
  | { readonly type: "speculative" };

/**
 * `connecting`; `catching-up`: past events are on their way; `live`: events come as they happen; `lagging`: the loop or the
 * connection is slow, and events that are not final are left out.
 */
export type WatchStatus = "connecting" | "catching-up" | "live" | "lagging";

/** Options of everything that can be watched. */
export type WatchOptions = Pick<SubscribeParams, "include"> & {
  /** The least finality of events. Default: `finalized`. */
  readonly finality?: Finality | undefined;
  /** Ends the loop with an error of code `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** Called for earlier events that are void, in order with the events. */
  readonly onReset?: ((reset: Reset) => void) | undefined;
  /** Called with the state of the connection, in order with the events. */
  readonly onStatus?: ((status: WatchStatus) => void) | undefined;
};

/** Options of streams without an end. */
export type StreamOptions = WatchOptions & {
  /** Start: behind a cursor, or with the first masterchain block at or after a place. Default: the newest block. */
  readonly from?: SubscriptionStart | undefined;
  /** Seqno of the masterchain block after which the loop ends. Default: never. */
  readonly to?: number | undefined;
};

/** Options of `blocks`. */
export type BlockOptions = StreamOptions & Pick<SubscribeParams, "workchain">;
/** Options of `transactions`. */
export type TransactionOptions = StreamOptions & Pick<SubscribeParams, "accounts" | "opcodes" | "workchain">;
/** Options of `actions`. */
export type ActionOptions = StreamOptions &
  Pick<SubscribeParams, "accounts" | "jetton_masters" | "action_types" | "supported_action_types">;
/** Options of `traces`. */
export type TracesOptions = StreamOptions &
  Pick<SubscribeParams, "accounts" | "action_types" | "supported_action_types">;
/** Options of `accounts`. */
export type AccountOptions = StreamOptions & Pick<SubscribeParams, "accounts">;
/** Options of `jettons`. */
export type JettonOptions = StreamOptions & Pick<SubscribeParams, "accounts" | "jetton_masters">;
/** Options of `trace`. */
export type TraceOptions = WatchOptions & Pick<SubscribeParams, "action_types" | "supported_action_types">;

/** Options of `message`. */
export type MessageOptions = Pick<StreamOptions, "from" | "include" | "signal" | "onStatus"> &
  Pick<SubscribeParams, "wait">;

/** Options for services with TON Center's streaming protocol only. */
export type TonCenterOptions = {
  /** Address of the WebSocket. Default: `/api/streaming/v2/ws` at the endpoint of the client. */
  readonly url?: string | undefined;
  /** Sent in the URL. */
  readonly apiKey?: string | undefined;
  /** Used instead of the global `WebSocket`. */
  readonly WebSocket?: SocketConstructor | undefined;
};
