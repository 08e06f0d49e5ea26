import { ServiceError } from "../../errors.js";
import { LongCallPacer } from "./long-call-pacer.js";

/** Limits of answers in bytes, and how long a call of a batch waits for room. */
export type AnswerLimits = {
  /** Size of one answer. */
  maxAnswerBytes: number;
  /** Results of one caller that are finished and not written yet. */
  maxCallerBytes: number;
  /** As `maxCallerBytes`, for all callers together. */
  maxTotalBytes: number;
  waitMs: number;
};

/**
 * Shorter results are never refused, and answers that are shorter as a whole are not counted: they fit the buffers of
 * a connection.
 */
export const longBytes = 64 * 1024;

type Waiting = { readonly allowance: Allowance; readonly bytes: number; readonly grant: () => void };

/** Bounds the memory of answers that wait for their readers: per answer, per caller and for the process. */
export class AnswerBudget {
  readonly limits: AnswerLimits;
  readonly longCallPacer = new LongCallPacer();
  #held = 0;
  readonly #byCaller = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #admission: NodeJS.Immediate | undefined;

  constructor(limits: AnswerLimits) {
    this.limits = limits;
  }

  /** Bytes held for all callers. */
  get held(): number {
    return this.#held;
  }

  /** The allowance of one answer; the owner must close it. */
  open(callerId: string): Allowance {
    return new Allowance(this, callerId);
  }

  /** The most that one caller may hold while no other holds anything. */
  get largestShare(): number {
    return Math.min(this.limits.maxCallerBytes, Math.floor(this.limits.maxTotalBytes / 2));
  }

  /**
   * Whether a caller has room for more bytes. A caller may hold at most as much as stays free, so that any number of
   * callers who do not read leave room for the next one.
   */
  hasRoom(callerId: string, bytes: number): boolean {
    const own = (this.#byCaller.get(callerId) ?? 0) + bytes;
    return own <= Math.min(this.limits.maxCallerBytes, this.limits.maxTotalBytes - this.#held - bytes);
  }

  /** Changes what a caller holds. Only its allowances call this. */
  add(callerId: string, bytes: number): void {
    this.#held += bytes;
    const own = (this.#byCaller.get(callerId) ?? 0) + bytes;
    if (own > 0) this.#byCaller.set(callerId, own);
    else this.#byCaller.delete(callerId);
    if (bytes < 0 && this.#waiting.size > 0) this.#admission ??= setImmediate(() => this.#admit());
  }

  /** Reserves bytes as soon as there is room. False if there is none within `waitMs`, or the allowance is closed. */
  wait(allowance: Allowance, bytes: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (granted: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        resolve(granted);
      };
      const waiting = { allowance, bytes, grant: () => settle(allowance.reserve(bytes)) };
      const timer = setTimeout(() => settle(false), this.limits.waitMs);
      this.#waiting.add(waiting);
    });
  }

  /** Ends the waits of a closed allowance. */
  dismiss(allowance: Allowance): void {
    for (const waiting of this.#waiting) if (waiting.allowance === allowance) waiting.grant();
  }

  /** Runs once per turn of the event loop, as thousands may wait while many pieces are written. */
  #admit(): void {
    this.#admission = undefined;
    for (const { allowance, bytes, grant } of this.#waiting) {
      if (this.hasRoom(allowance.callerId, bytes)) grant();
    }
  }
}

/** One answer's part of the budget, from the end of its calls until its bytes are written. */
export class Allowance {
  readonly callerId: string;
  readonly #budget: AnswerBudget;
  #held = 0;
  #reserved = 0;
  #total = 0;
  #largest = 0;
  #full = false;
  #closed = false;

  constructor(budget: AnswerBudget, callerId: string) {
    this.#budget = budget;
    this.callerId = callerId;
  }

  /** Bytes held and not yet written. */
  get held(): number {
    return this.#held;
  }

  /** Bytes to reserve for the next call: the longest result so far, limited by the remaining room. */
  get expected(): number {
    const { limits, largestShare } = this.#budget;
    return Math.max(0, Math.min(this.#largest, largestShare, limits.maxAnswerBytes - this.#total));
  }

  /** The error of further calls, once a result did not fit into an answer that was more than half full. */
  get spent(): ServiceError | undefined {
    return this.#full ? tooLong(this.#budget.limits.maxAnswerBytes) : undefined;
  }

  /** Takes the bytes of a long result, or returns the error of the call if they do not fit. */
  take(bytes: number): ServiceError | undefined {
    if (this.#closed) return undefined;
    this.#largest = Math.max(this.#largest, bytes);
    const { maxAnswerBytes } = this.#budget.limits;
    if (this.#total + bytes > maxAnswerBytes) {
      this.#full = 2 * this.#total > maxAnswerBytes;
      return tooLong(maxAnswerBytes);
    }
    // The bytes reserved for calls of this answer are already counted.
    const further = Math.max(0, bytes - this.#reserved);
    if (further > 0 && !this.#budget.hasRoom(this.callerId, further)) return this.crowded();
    this.add(bytes);
    return undefined;
  }

  /** Counts bytes that are never refused. */
  add(bytes: number): void {
    if (this.#closed) return;
    this.#total += bytes;
    this.#full ||= this.#total > this.#budget.limits.maxAnswerBytes;
    this.#held += bytes;
    this.#budget.add(this.callerId, bytes);
  }

  /** Frees bytes that were written. */
  release(bytes: number): void {
    if (this.#closed) return;
    this.#held -= bytes;
    this.#budget.add(this.callerId, -bytes);
  }

  /** Reserves bytes for a call that starts; false if there is no room. `unreserve` them when the call has ended. */
  reserve(bytes: number): boolean {
    if (this.#closed || !this.#budget.hasRoom(this.callerId, bytes)) return false;
    this.#reserved += bytes;
    this.#budget.add(this.callerId, bytes);
    return true;
  }

  unreserve(bytes: number): void {
    if (this.#closed) return;
    this.#reserved -= bytes;
    this.#budget.add(this.callerId, -bytes);
  }

  /** As `reserve`, but waits for room. False if there is none in time, or the allowance is closed. */
  async reserveLater(bytes: number): Promise<boolean> {
    return !this.#closed && this.#budget.wait(this, bytes);
  }

  /**
   * Waits until a call whose result may be long may start, so that other callers get answers meanwhile. Returns nothing
   * if it may start immediately, or a promise that is false if the allowance was closed.
   */
  mayStart(): Promise<boolean> | undefined {
    return this.#budget.longCallPacer.next(this)?.then(() => !this.#closed);
  }

  /** The error of calls without room beside unread answers. */
  crowded(): ServiceError {
    const { maxCallerBytes } = this.#budget.limits;
    return new ServiceError(
      "too-large",
      `answer is too large beside unread answers: at most ${maxCallerBytes} bytes per caller; read them first, or use a smaller limit and page`,
      { data: { max: maxCallerBytes, retry_after: 1 } },
    );
  }

  /** Frees everything; later calls have no effect. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#budget.add(this.callerId, -this.#held - this.#reserved);
    this.#held = 0;
    this.#budget.dismiss(this);
  }
}

function tooLong(max: number): ServiceError {
  return new ServiceError(
    "too-large",
    `answer is too large: at most ${max} bytes; use a smaller limit and page`,
    { data: { max } },
  );
}
