import { systemTimers } from "../../../shared/values/timers.js";
import { FirstSignal } from "../../os/first-signal.js";
import { pause } from "../../os/pause.js";
import type { Queries, Transaction, TransactionOptions } from "../database.js";
import { readIndexVersion } from "../queries/upkeep/index-version.js";
import type { SnapshotSource } from "./index-reader.js";
import { OpenReads, silent } from "./open-reads.js";

type PrimaryOptions = {
  sql: SnapshotSource;
  /** A connection of its own, which no read keeps busy. */
  looks: Queries;
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
export class Primary implements SnapshotSource {
  readonly #options: PrimaryOptions;
  readonly #reads: OpenReads;
  readonly #ending = new AbortController();
  #looking: Promise<boolean> | undefined;
  #isDoubted = false;
  #isSilent = false;

  constructor(options: PrimaryOptions) {
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
    this.#looking ??= readIndexVersion(this.#options.looks)
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  /** The id of the index. */
  async readId(): Promise<string> {
    if (this.#isSilent) throw silent("the database");
    return (await readIndexVersion(this.#options.looks)).id;
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
