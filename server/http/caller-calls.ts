import { TimeSlice } from "../chain/time-slice.js";
import { CallFailure } from "../mcp/session.js";
import { pause } from "../os/pause.js";
import { type CallContext, takeText } from "../rpc/dispatch.js";
import type { Grant, JsonRpc } from "../rpc/json-rpc/json-rpc.js";
import { type Clock, systemClock } from "./clock.js";

/** Longest time that the calls of one request wait for points of the rate limit, in seconds. */
const maxWaitSec = 30;

type CallerCallsOptions = {
  readonly rpc: JsonRpc;
  readonly clock?: Clock | undefined;
};

/** A request on whose behalf methods are called. */
type Payer = {
  readonly context: CallContext;
  /** Charges points to the caller's rate limit. */
  readonly spend: (points: number) => Promise<Grant> | Grant;
};

/** Calls on behalf of callers, of which one begins per round of the event loop, so that others are served between them. */
export class CallerCalls {
  readonly #rpc: JsonRpc;
  readonly #clock: Clock;
  readonly #timeSlice = new TimeSlice();

  constructor({ rpc, clock = systemClock }: CallerCallsOptions) {
    this.#rpc = rpc;
    this.#clock = clock;
  }

  /** Calls methods for a request that has paid the first point. Each pays its points before it begins, in their order. */
  of({ context, spend }: Payer): (method: string, params: object) => Promise<unknown> {
    let prepaid = 1;
    let waitSec = maxWaitSec;
    let lastPaid: Promise<unknown> = Promise.resolve();
    const pay = async (points: number) => {
      for (;;) {
        const { granted, overdrawn, retryAfterSec = 1 } = await spend(points);
        // A call that costs more points than are left is served, as everywhere, and the caller owes the others.
        if (!overdrawn) return points > granted && context.settle?.(points - granted);
        if (retryAfterSec > waitSec)
          throw new CallFailure(
            "rate-limited",
            `the rate limit is exceeded: try again in ${retryAfterSec} s`,
          );
        waitSec -= retryAfterSec;
        await this.#pause(retryAfterSec, context);
      }
    };
    const begin = async (call: { method: string; params: object }) => {
      await this.#timeSlice.yieldIfDue();
      const points = this.#rpc.callPoints(call) - prepaid;
      prepaid = Math.max(0, -points);
      if (points > 0) await pay(points);
    };
    return async (method, params) => {
      const paid = lastPaid.then(() => begin({ method, params }));
      // Later calls try for themselves.
      lastPaid = paid.catch(() => {});
      await paid;
      return this.#call(method, params, context);
    };
  }

  async #call(method: string, params: object, context: CallContext): Promise<unknown> {
    const outcome = await this.#rpc.call(method, params, context);
    if ("json" in outcome) {
      const result: unknown = JSON.parse(takeText(outcome.json));
      // It is no part of the answer: one request may read more than an answer may have.
      if (outcome.longBytes !== undefined) context.allowance.release(outcome.longBytes);
      return result;
    }
    const { error } = outcome;
    const { sentence, hint } = error.words ?? { sentence: error.textIn(this.#rpc.api(method)) };
    throw new CallFailure(error.code, hint === undefined ? sentence : `${sentence} ${hint}`);
  }

  async #pause(seconds: number, { gone }: CallContext): Promise<void> {
    await pause(seconds * 1000, gone.signal, { after: (ms, callback) => this.#clock.every(ms, callback) });
    if (gone.isCancelled) throw new CallFailure("unavailable", "the caller has gone");
  }
}
