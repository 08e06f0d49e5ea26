import { setMaxListeners } from "node:events";
import { ServiceError } from "../../errors.js";
import { FirstSignal } from "../../os/first-signal.js";
import type { Transaction, TransactionOptions } from "../database.js";
import type { SnapshotSource } from "./index-reader.js";

/** The reads of a server that have not ended. All of them end when the server is found not to answer. */
export class OpenReads {
  readonly #source: SnapshotSource;
  #life = lifetime();
  #running = 0;

  constructor(source: SnapshotSource) {
    this.#source = source;
  }

  get running(): number {
    return this.#running;
  }

  async run<T>(
    work: (transaction: Transaction) => Promise<T>,
    { signal, ...options }: TransactionOptions,
  ): Promise<T> {
    const life = this.#life.signal;
    const ending = new FirstSignal(life, ...(signal ? [signal] : []));
    this.#running++;
    try {
      return await this.#source.transaction(work, { ...options, signal: ending.signal });
    } catch (error) {
      throw life.aborted && !signal?.aborted ? life.reason : error;
    } finally {
      this.#running--;
      ending.clear();
    }
  }

  /** Ends all of them with this error. */
  giveUp(error: Error): void {
    const life = this.#life;
    this.#life = lifetime();
    life.abort(error);
  }
}

/** The error of reads of a server that does not answer, as of one that is not reached. */
export function silent(server: string): ServiceError {
  return new ServiceError("unavailable", "database is not available", {
    cause: new Error(`${server} does not answer`),
  });
}

/** Every read that is open listens to it. */
function lifetime(): AbortController {
  const life = new AbortController();
  setMaxListeners(0, life.signal);
  return life;
}
