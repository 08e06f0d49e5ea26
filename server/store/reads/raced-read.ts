import { FirstSignal } from "../../os/first-signal.js";
import type { Transaction, TransactionOptions } from "../database.js";
import { isForbidden, isUnavailable } from "../database-errors.js";
import type { SnapshotSource } from "./index-reader.js";

type Work<T> = (transaction: Transaction) => Promise<T>;

/**
 * A read that several servers are asked for. The first one whose first statement is answered leads: the others are ended
 * then, before they have given the work a row. So the work may run more than once, but reads one snapshot only.
 */
export class RacedRead<T> {
  readonly #work: Work<T>;
  readonly #options: TransactionOptions;
  readonly #onLead: (server: SnapshotSource) => void;
  readonly #runs = new Set<FirstSignal>();
  #leader: FirstSignal | undefined;

  /** `onLead` learns which server leads. */
  constructor(work: Work<T>, options: TransactionOptions, onLead: (server: SnapshotSource) => void) {
    this.#work = work;
    this.#options = options;
    this.#onLead = onLead;
  }

  /** Whether a server leads. */
  get isLed(): boolean {
    return this.#leader !== undefined;
  }

  /** The result of a server. Undefined if it was not reached, with `failed` called, or if another server leads. */
  async of(
    server: SnapshotSource,
    { onTurn, failed }: { onTurn?: () => void; failed?: (error: unknown) => void } = {},
  ): Promise<{ readonly result: T } | undefined> {
    const { signal } = this.#options;
    const run = new FirstSignal(...(signal ? [signal] : []));
    this.#runs.add(run);
    try {
      const result = await server.transaction(this.#work, {
        ...this.#options,
        signal: run.signal,
        onTurn,
        onVersion: (version) => {
          if (!this.#leads(run, server)) return;
          this.#options.onVersion?.(version);
        },
      });
      return { result };
    } catch (error) {
      if (this.#leader && this.#leader !== run) return undefined;
      if (!(isUnavailable(error) || isForbidden(error)) || signal?.aborted) throw error;
      failed?.(error);
      return undefined;
    } finally {
      this.#runs.delete(run);
      run.clear();
    }
  }

  #leads(run: FirstSignal, server: SnapshotSource): boolean {
    if (this.#leader) return this.#leader === run;
    this.#leader = run;
    for (const other of this.#runs)
      if (other !== run) other.fire(new DOMException("another server leads", "AbortError"));
    this.#onLead(server);
    return true;
  }
}
