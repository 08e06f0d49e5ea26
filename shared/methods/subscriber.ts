import type { z } from "zod";
import type { streamHead } from "../schema/streams/subscription-events.js";
import type {
  ackParams,
  subscribeParams,
  tonSubscribeParams,
  unsubscribeParams,
  updateParams,
} from "../schema/streams/subscription-params.js";

/** The connection of a call, if it can have subscriptions. */
export interface Subscriber {
  subscribe(
    params: z.output<typeof subscribeParams>,
  ): Promise<{ subscription: string; cursor: string; head: z.output<typeof streamHead> }>;
  /** Subscribes in the form of other libraries; returns the id. */
  tonSubscribe(params: z.output<typeof tonSubscribeParams>): Promise<string>;
  unsubscribe(params: z.output<typeof unsubscribeParams>): boolean;
  update(params: z.output<typeof updateParams>): Promise<{ cursor: string }>;
  acknowledge(params: z.output<typeof ackParams>): void;
}
