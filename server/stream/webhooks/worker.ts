import { randomInt } from "node:crypto";
import { setMaxListeners } from "node:events";
import pLimit from "p-limit";
import { ServiceError } from "../../errors.js";
import { Doorbell } from "../../os/doorbell.js";
import { FirstSignal } from "../../os/first-signal.js";
import type { Database, Sql } from "../../store/database.js";
import {
  claimWebhooks,
  keysWithWebhooks,
  moveWebhooks,
  readWebhooks,
  releaseWebhooks,
  tellStopped,
  webhooksOfWorker,
} from "../../store/queries/kept/webhook-work.js";
import { webhookChannel } from "../../store/queries/kept/webhooks.js";
import { maxPresent, presenceLock, presentProcesses } from "../../store/sql/locks.js";
import type { Hub } from "../hub.js";
import { Delivery, type DeliveryParts } from "./delivery.js";
import { DeliveryPlaces } from "./delivery-places.js";
import { Waiters } from "./waiters.js";

type WorkerOptions = Pick<DeliveryParts, "posting" | "now" | "random" | "onAttempt" | "onError"> & {
  hub: Hub;
  /** Parallel deliveries of a key; `undefined` for an invalid key, which has none. */
  deliveriesOf: (keyId: string) => number | undefined;
  /** Calls periodically. Returns the function that stops it. */
  every: (ms: number, work: () => void) => () => void;
};

/** Longest interval between two reads of the database, in case a notification is missed. */
const lookEveryMs = 5000;
const retryMs = 1000;
const tickMs = 1000;
/** How often the progress of webhooks without events is stored. */
const moveEveryMs = 60_000;
const maxOpening = 8;
/** Rows read at once; choices may be long. */
const readAtOnce = 100;

/** Delivers webhooks, divided evenly among the processes of an index. */
export class WebhookWorker {
  readonly waiters = new Waiters();
  readonly #options: WorkerOptions;
  readonly #own = new Map<string, Delivery>();
  readonly #places: DeliveryPlaces;
  readonly #opening = pLimit(maxOpening);
  readonly #news = new Doorbell();
  readonly #ending = new AbortController();
  readonly #stops: (() => void)[] = [];
  /** The database connection while this process is the worker of this number. */
  #held: { sql: Sql; worker: number } | undefined;
  #ended: Promise<void> | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#places = new DeliveryPlaces((keyId) => options.deliveriesOf(keyId) ?? 0);
    setMaxListeners(0, this.#ending.signal);
  }

  /** Works in the background until `close`; the database must be migrated. */
  start(database: Database): void {
    if (this.#ended) return;
    const { every, onError } = this.#options;
    this.#ended = this.#run(database);
    this.#stops.push(
      every(tickMs, () => {
        for (const each of this.#own.values()) each.tick();
      }),
      every(moveEveryMs, () => void this.#move().catch((error) => report(error, onError))),
    );
  }

  async close(): Promise<void> {
    this.#ending.abort();
    for (const stop of this.#stops) stop();
    await this.#ended;
  }

  /** Triggers a look after a webhook or key may have changed. */
  look(): void {
    this.#news.ring();
  }

  /** Webhooks that this process delivers. */
  get size(): number {
    return this.#own.size;
  }

  /** For how long the events of the slowest of them have been waiting, ms. */
  get behindMs(): number {
    let longest = 0;
    for (const { behindMs } of this.#own.values()) longest = Math.max(longest, behindMs);
    return longest;
  }

  async #run(database: Database): Promise<void> {
    const { signal } = this.#ending;
    const sql = database.sql({ connections: 3 });
    while (!signal.aborted) {
      try {
        await this.#workWhilePresent(database, sql);
      } catch (error) {
        if (signal.aborted) return;
        report(error, this.#options.onError);
        await new Doorbell().heard(signal, retryMs);
      }
    }
  }

  /** Ends on close or on a lost connection: other processes then take over its webhooks, so it restarts. */
  async #workWhilePresent(database: Database, sql: Sql): Promise<void> {
    const { signal } = this.#ending;
    const worker = randomInt(maxPresent);
    const lock = await database.lock(presenceLock("webhooks", worker), signal);
    try {
      const listening = await database.listen(webhookChannel, (text) => this.#heard(text), signal);
      const present = new FirstSignal(signal, lock.lost, listening.lost);
      setMaxListeners(0, present.signal);
      this.#held = { sql, worker };
      try {
        while (!present.signal.aborted) {
          await this.#share(sql, worker);
          await this.#news.heard(present.signal, lookEveryMs);
        }
      } finally {
        present.clear();
        await this.#leave(sql, worker);
        await listening.release();
      }
    } finally {
      await lock.release();
    }
  }

  #heard(text: string): void {
    const [word, id = ""] = text.split(" ");
    if (word === "stopped") this.waiters.stopped(id);
    else this.look();
  }

  /** Takes or releases webhooks, so that each process has its share, and follows changes. */
  async #share(sql: Sql, worker: number): Promise<void> {
    const all = await keysWithWebhooks(sql);
    if (all.length === 0 && this.#own.size === 0) return;
    const valid = all.filter(({ key_id }) => this.#options.deliveriesOf(key_id) !== undefined);
    const keys = new Set(valid.map(({ key_id }) => key_id));
    const others = (await presentProcesses(sql, "webhooks")).filter((each) => each !== worker);
    const total = valid.reduce((sum, { webhooks }) => sum + webhooks, 0);
    const share = Math.ceil(total / (others.length + 1));
    let mine = await webhooksOfWorker(sql, worker);
    const kept = mine.filter(({ key_id }) => keys.has(key_id)).slice(0, share);
    if (kept.length < mine.length) {
      await this.#giveBack(sql, worker, mine, kept);
      mine = kept;
    } else if (mine.length < share) {
      const limit = share - mine.length;
      await claimWebhooks(sql, { worker, workers: others, keys: [...keys], limit });
      mine = await webhooksOfWorker(sql, worker);
    }
    await this.#follow(sql, worker, mine);
  }

  async #giveBack(
    sql: Sql,
    worker: number,
    mine: readonly { id: string }[],
    kept: readonly { id: string }[],
  ): Promise<void> {
    const keptIds = new Set(kept.map(({ id }) => id));
    const surplus = mine.map(({ id }) => id).filter((id) => !keptIds.has(id));
    await Promise.all(surplus.map((id) => this.#drop(id)));
    await releaseWebhooks(sql, worker, surplus);
  }

  /** Starts, ends and renews deliveries to match this process's rows. */
  async #follow(sql: Sql, worker: number, rows: readonly { id: string; version: number }[]): Promise<void> {
    const ids = new Set(rows.map(({ id }) => id));
    const gone = [...this.#own.keys()].filter((id) => !ids.has(id));
    await Promise.all(
      gone.map(async (id) => {
        await this.#drop(id);
        await tellStopped(sql, id);
      }),
    );
    const changed = rows.filter(({ id, version }) => {
      const own = this.#own.get(id);
      return !own || own.isOver || own.version !== version;
    });
    for (const { id } of changed) this.#own.get(id)?.retire();
    const ready = changed.map(({ id }) => id).filter((id) => this.#own.get(id)?.isOver ?? true);
    for (let from = 0; from < ready.length; from += readAtOnce) {
      const part = ready.slice(from, from + readAtOnce);
      await Promise.all(part.map((id) => this.#drop(id)));
      for (const row of await readWebhooks(sql, worker, part)) {
        const delivery = new Delivery(this.#parts(sql, worker), row);
        this.#own.set(row.id, delivery);
        delivery.tick();
      }
    }
  }

  #parts(database: Sql, worker: number): DeliveryParts {
    const { hub, posting, now, random, onAttempt, onError } = this.#options;
    const places = this.#places;
    const opening = (open: () => Promise<void>) => this.#opening(open);
    const onChanged = () => this.look();
    return { hub, database, worker, places, posting, opening, now, random, onChanged, onAttempt, onError };
  }

  async #drop(id: string): Promise<void> {
    await this.#own.get(id)?.close();
    this.#own.delete(id);
  }

  /** Stores the progress of webhooks without events, so that no later start searches from far back. */
  async #move(): Promise<void> {
    if (!this.#held) return;
    const { sql, worker } = this.#held;
    const moved = [...this.#own.values()].flatMap(({ moved }) => moved ?? []);
    await moveWebhooks(sql, worker, moved);
  }

  async #leave(sql: Sql, worker: number): Promise<void> {
    // If the database is unreachable, others deliver from the places that were stored before.
    await this.#move().catch(() => {});
    this.#held = undefined;
    const ids = [...this.#own.keys()];
    await Promise.all(ids.map((id) => this.#drop(id)));
    // If the database is unreachable, the end of the lock releases them.
    await releaseWebhooks(sql, worker, ids).catch(() => {});
  }
}

/** Outages of the database are reported elsewhere. */
function report(error: unknown, onError: (error: Error) => void): void {
  if (!(error instanceof ServiceError)) onError(error as Error);
}
