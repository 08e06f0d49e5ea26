import { setMaxListeners } from "node:events";
import { bytesToHex } from "../../../shared/values/bytes.js";
import type { KeyRules } from "../../access/keys/key-rules.js";
import type { KeyListener, KeySource, KeysNews } from "../../access/keys/key-store.js";
import type { CustomPlan } from "../../access/limits/plan.js";
import { failureText } from "../../errors.js";
import { Doorbell } from "../../os/doorbell.js";
import { FirstSignal } from "../../os/first-signal.js";
import { pause } from "../../os/pause.js";
import type { Database, Sql } from "../../store/database.js";
import {
  type KeyEndRow,
  keysChannel,
  readChangedKeys,
  readKeysVersion,
  readPlans,
  readValidKeys,
} from "../../store/queries/kept/api-keys.js";

type Options = {
  /** Wall clock, ms. */
  now: () => number;
  /** Longest interval between reads of the version, in case a notification is lost, ms. */
  lookEveryMs?: number | undefined;
};

const usualLookMs = 5000;
const retryMs = 500;
const statementTimeoutMs = 10_000;

/**
 * The keys in a database, which notifies of changes. All valid keys are kept in memory: a caller with an invented key costs no
 * statement, and every key works while the database is away.
 */
export class DatabaseKeySource implements KeySource {
  readonly #database: Database;
  readonly #sql: Sql;
  readonly #options: Options;
  readonly #ending = new AbortController();
  readonly #news = new Doorbell();
  /** The version that was read last. */
  #seen: bigint | undefined;
  #ended: Promise<void> | undefined;

  constructor(database: Database, options: Options) {
    this.#database = database;
    this.#sql = database.sql({ connections: 1, statementTimeoutMs });
    this.#options = options;
    setMaxListeners(0, this.#ending.signal);
  }

  start(listener: KeyListener): Promise<void> {
    return new Promise((resolve) => {
      const whenKnown: KeyListener = {
        read: (news) => {
          listener.read(news);
          resolve();
        },
        failed: (reason) => {
          listener.failed(reason);
          resolve();
        },
      };
      this.#ended = this.#run(whenKnown).finally(resolve);
    });
  }

  reload(): void {
    this.#seen = undefined;
    this.#news.ring();
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#ended;
    await this.#database.close();
  }

  async #run(listener: KeyListener): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        await this.#follow(listener);
      } catch (error) {
        if (signal.aborted) return;
        listener.failed(failureText(error as Error));
        await pause(retryMs, signal);
      }
    }
  }

  /** Rejects if the connection is lost. */
  async #follow(listener: KeyListener): Promise<void> {
    const { signal } = this.#ending;
    const { lookEveryMs = usualLookMs } = this.#options;
    const listening = await this.#database.listen(keysChannel, () => this.#news.ring(), signal);
    const over = new FirstSignal(signal, listening.lost);
    setMaxListeners(0, over.signal);
    try {
      while (!over.signal.aborted) {
        listener.read(await this.#look());
        await this.#news.heard(over.signal, lookEveryMs);
      }
      if (!signal.aborted) throw over.signal.reason;
    } finally {
      over.clear();
      await listening.release();
    }
  }

  /** `undefined` if nothing has changed. */
  async #look(): Promise<KeysNews | undefined> {
    const version = await readKeysVersion(this.#sql);
    const { n, removed } = version ?? { n: 0n, removed: 0n };
    if (n === this.#seen) return undefined;
    const isWhole = this.#seen === undefined || removed > this.#seen || n < this.#seen;
    const news = version
      ? await this.#read(isWhole, this.#seen ?? 0n)
      : { keys: [], plans: {}, isWhole: true };
    this.#seen = n;
    return news;
  }

  /** Changes that are committed meanwhile may be read twice. */
  async #read(isWhole: boolean, seen: bigint): Promise<KeysNews> {
    const rows = isWhole
      ? await readValidKeys(this.#sql, this.#options.now())
      : await readChangedKeys(this.#sql, seen);
    const plans = (await readPlans(this.#sql)).map(({ name, limits }) => [name, limits as CustomPlan]);
    return { keys: rows.map(knownKey), plans: Object.fromEntries(plans), isWhole };
  }
}

function knownKey({ id, hash, owner, network, plan, rules, ends_at }: KeyEndRow) {
  return {
    ...{ id, network, plan },
    rules: (rules as KeyRules | null) ?? undefined,
    hash: bytesToHex(hash),
    // Most keys replace no other one.
    owner: owner === id ? id : owner,
    endsAt: ends_at === null ? Number.POSITIVE_INFINITY : Number(ends_at),
  };
}
