import type { JsonBytes } from "../../../shared/methods/json-text.js";
import type { ServiceError } from "../../errors.js";
import { type Allowance, longBytes } from "../answers/answer-budget.js";
import { cut, type Pieces, pieceBytes } from "../answers/answer-pieces.js";
import type { Ending, Outcome } from "../dispatch.js";
import { enclosed } from "../json/enclosed-json.js";
import type { FirstEntryLimit } from "./first-entry-limit.js";

/** The entries of a batch, and how their responses are joined. */
export type Batch = {
  readonly count: number;
  /** Entries that run concurrently. */
  readonly parallel: number;
  readonly firstEntryLimit: FirstEntryLimit;
  /** An array lists responses in the order of the entries, lines in the order in which the entries end. */
  readonly form: "array" | "lines";
  /** Runs an entry. Returns no promise if its outcome is known immediately. */
  readonly run: (index: number) => Ending;
  /** The outcome of an entry that is not run. */
  readonly refuse: (index: number, error: ServiceError) => Outcome;
  /** The response of an entry; `undefined` for a notification. */
  readonly respond: (index: number, outcome: Outcome) => string | JsonBytes | undefined;
  readonly allowance: () => Allowance;
  readonly hasGone: () => boolean;
};

/** Bytes of responses, expected ones included, that may wait to be written. Above it no entry starts. */
const windowBytes = 4 * 1024 * 1024;
const notification = "";

/**
 * One run of a batch. Entries start in order. Once a result was long, an entry starts only if another result of that
 * length has room, and when it is its turn, so the batch of a client that does not read stops.
 */
export class BatchRun {
  readonly #batch: Batch;
  /** Responses that wait to be written, by their place in the answer. */
  readonly #responses: (string | Uint8Array | undefined)[];
  /** Entries to run. Reduced to the started ones when the caller has disconnected. */
  #count: number;
  #started = 0;
  #running = 0;
  #ended = 0;
  #written = 0;
  #heldBytes = 0;
  #reservedBytes = 0;
  #hasText = false;
  #opened = false;
  /** Whether any response is long. */
  #hasLong = false;
  /** Whether further results may be long, as one was, even if it was refused. */
  #expectsLong = false;
  /** Whether the allowance counts the responses, because together they are long. */
  #counted = false;
  #isWaiting = false;
  #wake: (() => void) | undefined;
  #defect: { readonly error: unknown } | undefined;

  constructor(batch: Batch) {
    this.#batch = batch;
    this.#count = batch.count;
    this.#responses = new Array(batch.count);
  }

  /** Runs entries until all have ended, or until responses of `bytes`, or some that leave no room, wait to be written. */
  async collect(bytes: number): Promise<void> {
    this.#start();
    while (this.#heldBytes < bytes && (this.#running > 0 || this.#isWaiting)) await this.#change();
  }

  /** Whether all entries have ended. */
  get isDone(): boolean {
    return this.#ended === this.#count;
  }

  /** Whether any entry that has ended is answered. */
  get hasText(): boolean {
    return this.#hasText;
  }

  /** The array if it is complete and has no long response. Concatenates: V8 flattens the text once, when it is sent. */
  wholeText(): string | undefined {
    if (!this.isDone || this.#hasLong) return undefined;
    let text = "";
    for (let place = 0; place < this.#count; place++) {
      const response = this.#responses[place];
      if (response !== notification) text += (text === "" ? "[" : ",") + response;
    }
    return `${text}]`;
  }

  /** The answer piece by piece. Entries start as pieces are taken. */
  async *pieces(): Pieces {
    try {
      while (this.#written < this.#count) {
        yield* this.#ready();
        // Entries may have ended while a piece was written.
        const next = this.#written < this.#count ? this.#responses[this.#written] : notification;
        if (next === undefined) await this.#change();
      }
      if (this.#batch.form === "array") yield "]";
    } finally {
      this.#stop();
    }
  }

  /** The responses whose turn it is: short ones joined, long ones cut. */
  *#ready(): Generator<string | Uint8Array> {
    let text = "";
    let bytes = 0;
    for (let response = this.#next(); response !== undefined; response = this.#next()) {
      text += this.#separator();
      if (typeof response === "string") {
        text += response;
        bytes += response.length;
        if (text.length < pieceBytes) continue;
      }
      if (text !== "") yield text;
      this.#release(bytes);
      text = "";
      bytes = 0;
      if (typeof response === "string") continue;
      for (const part of cut(response)) {
        yield part;
        this.#release(part.length);
      }
    }
    if (text !== "") yield text;
    this.#release(bytes);
  }

  #next(): string | Uint8Array | undefined {
    while (this.#responses[this.#written] === notification) this.#written++;
    const response = this.#responses[this.#written];
    if (response !== undefined) this.#responses[this.#written++] = undefined;
    return response;
  }

  #separator(): string {
    if (this.#batch.form === "lines") return "";
    if (this.#opened) return ",";
    this.#opened = true;
    return "[";
  }

  #start(): void {
    while (this.#started < this.#count && this.#running < this.#batch.parallel && !this.#isWaiting) {
      if (!this.#expectsLong) {
        if (this.#heldBytes >= windowBytes) return;
        if (this.#ended > 0) this.#run(0);
        else if (!this.#runUnknown()) return;
        continue;
      }
      const allowance = this.#batch.allowance();
      const bytes = allowance.expected;
      const ahead = this.#heldBytes + this.#reservedBytes;
      if (allowance.spent) this.#refuse(allowance.spent);
      else if (ahead > 0 && ahead + bytes > windowBytes) return;
      else if (allowance.reserve(bytes)) {
        const permission = allowance.mayStart();
        if (permission) this.#startLater(allowance, bytes, permission);
        else this.#run(bytes);
      } else if (ahead > 0 || this.#running > 0) return;
      else this.#startLater(allowance, bytes, roomAndStart(allowance, bytes));
    }
  }

  /** Runs an entry before any result has shown whether they are long; false if it has to wait. */
  #runUnknown(): boolean {
    const { firstEntryLimit } = this.#batch;
    const isFirst = this.#running === 0;
    if (firstEntryLimit.begin(isFirst)) {
      this.#run(0, () => firstEntryLimit.end());
      return true;
    }
    if (isFirst) {
      this.#isWaiting = true;
      firstEntryLimit.wait(() => {
        this.#isWaiting = false;
        this.#start();
        this.#wake?.();
      });
    }
    return false;
  }

  /** Starts the next entry once it may start. If it may not, the entries that are left are refused. */
  #startLater(allowance: Allowance, bytes: number, permission: Promise<boolean>): void {
    this.#isWaiting = true;
    void permission.then((granted) => {
      this.#isWaiting = false;
      if (granted) this.#run(bytes);
      else if (this.#batch.hasGone()) this.#stop();
      else while (this.#started < this.#count) this.#refuse(allowance.crowded());
      this.#start();
      this.#wake?.();
    });
  }

  #run(reservedBytes: number, onEnd?: () => void): void {
    const index = this.#started++;
    const ending = this.#batch.run(index);
    this.#reservedBytes += reservedBytes;
    if (!(ending instanceof Promise)) {
      this.#end(index, ending, reservedBytes);
      onEnd?.();
      return;
    }
    this.#running++;
    ending
      .finally(onEnd)
      .then((outcome) => {
        this.#running--;
        this.#end(index, outcome, reservedBytes);
        if (this.#batch.hasGone()) this.#stop();
        this.#start();
      })
      .catch((error) => {
        this.#defect = { error };
      })
      .then(() => this.#wake?.());
  }

  #refuse(error: ServiceError): void {
    const index = this.#started++;
    this.#end(index, this.#batch.refuse(index, error), 0);
  }

  #end(index: number, outcome: Outcome, reservedBytes: number): void {
    const { form, allowance, respond } = this.#batch;
    if (reservedBytes > 0) allowance().unreserve(reservedBytes);
    this.#reservedBytes -= reservedBytes;
    this.#expectsLong ||= outcome.longBytes !== undefined;
    const place = form === "lines" ? this.#ended : index;
    this.#ended++;
    const text = respond(index, outcome);
    this.#responses[place] = text === undefined ? notification : this.#hold(text, outcome);
  }

  /** Counts a response. A long one is encoded, which moves it off the heap that V8 collects. */
  #hold(text: string | JsonBytes, outcome: Outcome): string | Uint8Array {
    const line = this.#batch.form === "lines" ? enclosed("", text, "\n") : text;
    const isLong = line.length >= longBytes;
    const response = typeof line === "string" ? (isLong ? Buffer.from(line) : line) : line.bytes;
    this.#hasLong ||= response instanceof Uint8Array;
    const taken = "json" in outcome ? (outcome.longBytes ?? 0) : 0;
    this.#hasText = true;
    this.#heldBytes += response.length;
    if (this.#counted) this.#batch.allowance().add(response.length - taken);
    else if (this.#heldBytes >= longBytes) {
      this.#counted = true;
      this.#batch.allowance().add(this.#heldBytes - taken);
    }
    return response;
  }

  #release(bytes: number): void {
    this.#heldBytes -= bytes;
    if (this.#counted) this.#batch.allowance().release(bytes);
    this.#start();
  }

  /** Starts no further entries. */
  #stop(): void {
    this.#count = this.#started;
  }

  /** Resolves when entries have ended. Rejects if one failed in a way that has no response. */
  async #change(): Promise<void> {
    if (!this.#defect) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#defect) throw this.#defect.error;
  }
}

/** Waits for room that other answers leave, then for its start. False if there is no room in time. */
async function roomAndStart(allowance: Allowance, bytes: number): Promise<boolean> {
  return (await allowance.reserveLater(bytes)) && (await (allowance.mayStart() ?? true));
}
