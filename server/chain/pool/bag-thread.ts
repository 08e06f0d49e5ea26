import type { Worker } from "node:worker_threads";
import { BagBytes, type ParsedBag } from "../../../shared/ton/cells/parsed-bag.js";
import { startWorker } from "../../os/worker.js";
import { ConnectionError } from "../adnl/connection-error.js";
import type { BagParser } from "./answer-guard.js";

export type BagJob = { id: number; bags: Uint8Array[] };
/** For each bag, the parsed bag or the reason why it is invalid. */
export type BagJobResult = { id: number; outcomes: (ParsedBag | string)[] };

type Outcomes = readonly (ParsedBag | string)[];
type Pending = { resolve(outcomes: Outcomes): void; reject(error: Error): void };

const maxIdleMs = 30_000;

/**
 * A worker thread that parses bags of cells. It is started when there is work, and ends when there was none for 30 s or
 * the owner stops it.
 */
export class BagThread implements BagParser {
  #worker: Worker | undefined;
  #lastId = 0;
  readonly #pending = new Map<number, Pending>();
  #idle: NodeJS.Timeout | undefined;

  /** Rejects with a ConnectionError if the thread is stopped. Bags that crash it count as invalid. */
  async parse(bags: readonly Uint8Array[]): Promise<Uint8Array[]> {
    const outcomes = await this.#run(bags);
    return bags.map((bytes, index) => new BagBytes(bytes, outcomes[index] ?? "the bag cannot be parsed"));
  }

  /** Ends the thread and rejects its jobs. The next job starts a new thread. */
  stop(): void {
    clearTimeout(this.#idle);
    void this.#worker?.terminate();
    this.#worker = undefined;
    const error = new ConnectionError("closed", "the connection was closed on this side");
    for (const { reject } of this.#takePending()) reject(error);
  }

  #run(bags: readonly Uint8Array[]): Promise<Outcomes> {
    const id = ++this.#lastId;
    // Copied, because bags are views of a received frame.
    const job: BagJob = { id, bags: bags.map((bytes) => bytes.slice()) };
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage(
        job,
        job.bags.map(({ buffer }) => buffer as ArrayBuffer),
      );
    });
  }

  #start(): Worker {
    const worker = startWorker(import.meta.url, "bag-worker");
    worker.on("message", ({ id, outcomes }: BagJobResult) => {
      this.#pending.get(id)?.resolve(outcomes);
      this.#pending.delete(id);
      if (this.#worker === worker && this.#pending.size === 0) this.#rest(worker);
    });
    // The exit event follows.
    worker.on("error", () => {});
    worker.on("exit", () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      for (const { resolve } of this.#takePending()) resolve([]);
    });
    return worker;
  }

  /** An idle thread must not keep the process alive. */
  #rest(worker: Worker): void {
    worker.unref();
    this.#idle = setTimeout(() => this.stop(), maxIdleMs).unref();
  }

  #takePending(): Pending[] {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    return pending;
  }
}
