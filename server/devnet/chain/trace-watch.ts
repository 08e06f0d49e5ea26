import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { Listeners } from "../../../shared/values/listeners.js";
import { waitUntil } from "../../os/wait-until.js";
import type { Delivery } from "../collate/block/draft.js";

/** How much of a trace is in blocks. Plain data, so that it can be sent to another thread. */
export type TraceEnd = {
  /** False if the trace continues, or is no longer followed because the chain was reverted. */
  isComplete: boolean;
  /** The masterchain block of its last transaction so far; undefined without a transaction. */
  block: BlockIdExt | undefined;
  /** Remaining waiting time, ms. */
  leftMs: number;
};

/** A message and its trace. */
export interface FollowedTrace {
  /** Resolves when the whole trace is in blocks, after `maxMs`, or on a revert; then it is no longer followed. */
  ended(maxMs: number): Promise<TraceEnd>;
  /** Stops following the trace. */
  leave(): void;
}

/** Follows traces through blocks, by message hash, until they are complete. */
export class TraceWatch {
  /** Traces by the hash of a message they wait for. */
  readonly #waiting = new Map<string, Set<Trace>>();

  /** Follows the trace of a message. Call it before a block delivers the message, and `ended` or `leave` afterwards. */
  follow(message: Cell): FollowedTrace {
    const trace = new Trace(() => this.#forget(trace));
    this.#await(trace, message.hashHex());
    return trace;
  }

  /** Reports the deliveries of a step, each after the delivery that caused it. */
  delivered(deliveries: readonly Delivery[], block: BlockIdExt): void {
    if (this.#waiting.size === 0) return;
    for (const { message, transaction } of deliveries) {
      const hash = message.hashHex();
      const traces = this.#waiting.get(hash);
      if (!traces) continue;
      this.#waiting.delete(hash);
      const sent = [...transaction.value.messages.value.outMsgs.values()]
        .filter(({ value }) => value.info.kind === "internal")
        .map(({ cell }) => cell.hashHex());
      for (const trace of traces) {
        for (const next of sent) this.#await(trace, next);
        trace.received(hash, block);
      }
    }
  }

  /** Reports that no block will include the message. */
  dropped(message: Cell): void {
    const hash = message.hashHex();
    const traces = this.#waiting.get(hash);
    this.#waiting.delete(hash);
    for (const trace of traces ?? []) trace.received(hash, undefined);
  }

  /** Ends all traces because the chain was replaced. */
  abandon(): void {
    const traces = new Set([...this.#waiting.values()].flatMap((each) => [...each]));
    this.#waiting.clear();
    for (const trace of traces) trace.abandon();
  }

  #await(trace: Trace, hash: string): void {
    trace.expects(hash);
    const traces = this.#waiting.get(hash);
    if (traces) traces.add(trace);
    else this.#waiting.set(hash, new Set([trace]));
  }

  #forget(trace: Trace): void {
    for (const hash of trace.expected) {
      const traces = this.#waiting.get(hash);
      traces?.delete(trace);
      if (traces?.size === 0) this.#waiting.delete(hash);
    }
  }
}

class Trace implements FollowedTrace {
  /** Hashes of undelivered messages. */
  readonly expected = new Set<string>();
  readonly #leave: () => void;
  #block: BlockIdExt | undefined;
  #isAbandoned = false;
  readonly #ends = new Listeners<void>();

  constructor(leave: () => void) {
    this.#leave = leave;
  }

  expects(hash: string): void {
    this.expected.add(hash);
  }

  received(hash: string, block: BlockIdExt | undefined): void {
    this.expected.delete(hash);
    this.#block = block ?? this.#block;
    if (this.expected.size === 0) this.#ends.notify();
  }

  abandon(): void {
    this.#isAbandoned = true;
    this.#ends.notify();
  }

  async ended(maxMs: number): Promise<TraceEnd> {
    const isOver = () => this.#isAbandoned || this.expected.size === 0;
    const onChange = (listener: () => void) => this.#ends.add(listener);
    const leftMs = await waitUntil({ holds: isOver, onChange }, maxMs);
    this.leave();
    return { isComplete: !this.#isAbandoned && this.expected.size === 0, block: this.#block, leftMs };
  }

  leave(): void {
    this.#leave();
  }
}
