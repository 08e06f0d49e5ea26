import type { IncomingMessage } from "node:http";
import type { CallOptions } from "../../../shared/methods/define.js";
import type { Subscriber } from "../../../shared/methods/subscriber.js";
import type { Caller } from "../../access/access.js";

/** Writer of a connection's notifications. */
export interface NotificationChannel {
  /** Whether the client's unread bytes have reached their limit. */
  readonly isFull: boolean;
  write(frame: Buffer): void;
}

/** The subscriptions of one connection. */
export interface ConnectionSubscriptions {
  /** The calls of one message. Its subscriptions begin once it is answered. */
  forMessage(): Subscriber & { answered(): void };
  /** The place that all have reached, as text that is short enough for a close frame. */
  readonly reached: string | undefined;
  /** The client has read. */
  resume(): void;
  /** Called periodically. */
  watch(): void;
  /** Ends all subscriptions, with the reason that this process stops. */
  closing(): void;
  close(): void;
}

/** The connection that subscriptions are for. */
export type SubscribingConnection = {
  readonly request: IncomingMessage;
  readonly caller: Caller;
  readonly callOptions: CallOptions;
  readonly channel: NotificationChannel;
  /** Monotonic clock, ms. */
  readonly now: () => number;
};

export type OpenSubscriptions = (connection: SubscribingConnection) => ConnectionSubscriptions;
