import { systemTimers } from "../../../shared/values/timers.js";
import { FirstSignal } from "../../os/first-signal.js";
import { pause } from "../../os/pause.js";
import type { Transaction, TransactionOptions } from "../database.js";
import type { SnapshotSource } from "./index-reader.js";
import { OpenReads, silent } from "./open-reads.js";

type PrimaryOptions<Look> = {
  sql: SnapshotSource;
  /** One short statement, over a connection that no read keeps busy. */
  look(): Promise<Look>;
  /** How long an answer may take to begin before the database is asked whether it answers at all, ms. */
  hedgeMs: number;
  /** How long it may take to answer that, ms. */
  lookMs: number;
  /** Called when it is found not to answer, and when it answers again. */
  onSilent?: ((isSilent: boolean) => void) | undefined;
};

/** Interval at which a database that does not answer is asked again. */
const retryMs = 500;

/**
 * The database as the last server that answers are read from. While it hangs, reads are refused at once: each would hold
 * its caller, and a connection, until its statement times out.
 */
export class Primary<Look = unknown> implements SnapshotSource {
  readonly #options: PrimaryOptions<Look>;
  readonly #reads: OpenReads;
  readonly #ending = new AbortController();
  #looking: Promise<boolean> | undefined;
  #isDoubted = false;
  #isSilent = false;

  constructor(options: PrimaryOptions<Look>) {
    this.#options = options;
    this.#reads = new OpenReads(options.sql);
  }

  async transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    { onTurn, onVersion, ...options }: TransactionOptions = {},
  ): Promise<T> {
    if (this.#isSilent) throw silent("the database");
    let stop = () => {};
    try {
      return await this.#reads.run(work, {
        ...options,
        onTurn: () => {
          stop = systemTimers.after(this.#options.hedgeMs, () => void this.#doubt());
          onTurn?.();
        },
        onVersion: (version) => {
          stop();
          onVersion?.(version);
        },
      });
    } finally {
      stop();
    }
  }

  /** Whether it answers now. Callers share one statement. */
  answers(): Promise<boolean> {
    this.#looking ??= this.#options
      .look()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  /** Runs one look; rejects at once while the database does not answer. */
  async look(): Promise<Look> {
    if (this.#isSilent) throw silent("the database");
    return this.#options.look();
  }

  close(): void {
    this.#ending.abort();
  }

  /** Asks whether it answers. If not, reads are refused until it does. */
  async #doubt(): Promise<void> {
    if (this.#isDoubted) return;
    this.#isDoubted = true;
    const { lookMs, onSilent } = this.#options;
    const { signal } = this.#ending;
    const over = new FirstSignal(signal);
    const late = pause(lookMs, over.signal).then(() => false);
    let isThere = await Promise.race([this.answers(), late]);
    over.fire(undefined);
    over.clear();
    if (!isThere && !signal.aborted) {
      this.#isSilent = true;
      this.#reads.giveUp(silent("the database"));
      onSilent?.(true);
      while (!isThere && !signal.aborted) {
        isThere = await this.answers();
        if (!isThere) await pause(retryMs, signal);
      }
      this.#isSilent = false;
      if (isThere) onSilent?.(false);
    }
    this.#isDoubted = false;
  }
}
