import { ServiceError } from "../../errors.js";
import type { Queries } from "../../store/database.js";
import {
  abandonAttempt,
  beginAttempt,
  endAttempt,
  pauseWebhook,
} from "../../store/queries/kept/webhook-work.js";
import type { WebhookRow } from "../../store/queries/kept/webhooks.js";
import { Feed } from "../feed.js";
import { startOf } from "../feed-start.js";
import type { Hub } from "../hub.js";
import { filterOf } from "../subscriptions/record-filter.js";
import { nextAttempt } from "./back-off.js";
import { Batch, webhookForm } from "./batch.js";
import { choiceIn } from "./choices.js";
import type { DeliveryPlaces, Waiting } from "./delivery-places.js";
import { type Outcome, type PostOptions, post, signatureHeader, signatureOf } from "./post.js";
import type { Targets } from "./targets.js";

/** How deliveries are posted, and where to. */
type Posting = Omit<PostOptions, "allows"> & { targets: Targets };

export type DeliveryParts = {
  hub: Hub;
  database: Queries;
  /** The number of this process. */
  worker: number;
  places: DeliveryPlaces;
  posting: Posting;
  /** Limits how many feeds are opened at once. */
  opening: (open: () => Promise<void>) => Promise<void>;
  /** Wall clock, ms. */
  now: () => number;
  random: () => number;
  /** Called when the webhook's row has changed, so the database must be read again. */
  onChanged: () => void;
  onAttempt: (outcome: Outcome) => void;
  /** Called with failures other than outages of the database. */
  onError: (error: Error) => void;
};

/** Delay after a failure of the database or the index. */
const retryMs = 1000;

/** Delivers the events of one webhook in batches, as long as this process owns it. */
export class Delivery implements Waiting {
  readonly #parts: DeliveryParts;
  readonly #row: WebhookRow;
  readonly #ending = new AbortController();
  readonly #batch = new Batch(() => this.#wake());
  #feed: Feed | undefined;
  /** The running operation: opening the feed, or an attempt. */
  #work: Promise<void> | undefined;
  #openAt: number;
  /** When no event was waiting for the last time. */
  #levelAt: number;
  #isWoken = false;
  #isRetiring = false;
  #isOver = false;

  constructor(parts: DeliveryParts, row: WebhookRow) {
    this.#parts = parts;
    this.#row = { ...row };
    this.#openAt = Number(row.next_attempt_at ?? 0);
    this.#levelAt = parts.now();
  }

  get keyId(): string {
    return this.#row.key_id;
  }

  get version(): number {
    return this.#row.version;
  }

  /** Whether the delivery has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Progress made without a delivery; `undefined` if it does not exceed the stored cursor. */
  get moved(): { id: string; version: number; cursor: string } | undefined {
    const { id, version } = this.#row;
    if (!this.#isLevel) return undefined;
    const { cursor } = this.#feed!;
    return cursor === this.#row.cursor ? undefined : { id, version, cursor };
  }

  /** For how long events have been waiting for their delivery, ms. */
  get behindMs(): number {
    return this.#isLevel ? 0 : Math.max(0, this.#parts.now() - this.#levelAt);
  }

  get #isLevel(): boolean {
    return this.#work === undefined && this.#batch.isEmpty && this.#feed?.isCurrent === true;
  }

  #noteLevel(): void {
    if (this.#isLevel) this.#levelAt = this.#parts.now();
  }

  /** Continues if it is time. Called periodically. */
  tick(): void {
    this.#noteLevel();
    if (this.#work || this.#isOver) return;
    if (this.#feed) this.#feed.resume();
    else if (this.#parts.now() >= this.#openAt) this.#begin(() => this.#parts.opening(() => this.#open()));
  }

  /** Ends the delivery because its row changed; a running attempt completes first. */
  retire(): void {
    if (this.#work) this.#isRetiring = true;
    else this.#end();
  }

  /** No delivery happens after it resolves. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#end();
    await this.#work;
  }

  #end(): void {
    this.#isOver = true;
    this.#parts.places.forget(this);
    this.#stop();
  }

  #begin(work: () => Promise<void>): void {
    this.#work = work()
      .catch((error: Error) => this.#failed(error))
      .finally(() => {
        this.#work = undefined;
        if (this.#isRetiring && !this.#isOver) this.#leave(this.#parts.onChanged);
        else if (this.#feed) this.#goOn();
      });
  }

  #failed(error: Error): void {
    this.#stop();
    if (this.#isOver) return;
    this.#openAt = this.#parts.now() + retryMs;
    if (!(error instanceof ServiceError)) this.#parts.onError(error);
  }

  /** Starts after the last delivered event. Undelivered events are read again from the index. */
  async #open(): Promise<void> {
    if (this.#isOver) return;
    const { hub, now } = this.#parts;
    const { cursor, choice, attempts, key_id: keyId } = this.#row;
    const start = await startOf(hub, { from: { cursor } }).catch((error) => this.#refused(error));
    if (!start || this.#isOver) return;
    const filter = filterOf(choiceIn(choice), keyId);
    const options = { hub, channel: this.#batch, form: webhookForm, window: undefined, isQuiet: true, now };
    const feed = new Feed({ ...options, onEnd: () => {} }, filter, start);
    this.#feed = feed;
    if (start.revertedTo) feed.owe({ type: "reverted", to: start.revertedTo });
    // The pending events delivered earlier are not stored, so the receiver must treat them as unknown.
    if (filter.minFinality !== "finalized" && attempts > 0)
      feed.owe({ type: "lagging", seconds: 0, isReset: true });
    feed.begin();
  }

  /** Pauses the webhook if its cursor is no longer valid. Rethrows other failures. */
  async #refused(error: Error): Promise<undefined> {
    if (!(error instanceof ServiceError) || !["cursor-too-old", "invalid-params"].includes(error.code))
      throw error;
    const { database, worker, onChanged } = this.#parts;
    const { id, version } = this.#row;
    await pauseWebhook(
      database,
      { worker, id, version },
      `the events behind its cursor are not in the index any more (${error.code}): replay it from another place`,
    );
    this.#isOver = true;
    onChanged();
  }

  /** Schedules delivery; events that arrive in the same turn go out together. */
  #wake(): void {
    if (this.#isWoken) return;
    this.#isWoken = true;
    setImmediate(() => {
      this.#isWoken = false;
      this.#goOn();
    });
  }

  #goOn(): void {
    this.#noteLevel();
    if (this.#work || this.#isOver) return;
    if (this.#batch.isEmpty) this.#feed?.resume();
    else this.#parts.places.take(this);
  }

  placed(leave: () => void): void {
    if (this.#work || this.#isOver || this.#batch.isEmpty) leave();
    else this.#begin(() => this.#attempt().finally(leave));
  }

  async #attempt(): Promise<void> {
    const { database, worker, now, onChanged, onAttempt } = this.#parts;
    const row = this.#row;
    const held = { worker, id: row.id, version: row.version, replays: row.replays };
    const { cursor } = this.#feed!;
    const { json, count } = this.#batch.take();
    if (!(await beginAttempt(database, held))) return this.#leave(onChanged);
    const at = now();
    const outcome = await this.#post(cursor, json).catch(async (error: Error) => {
      await abandonAttempt(database, held);
      // The attempt was aborted because another process owns the webhook.
      if (!this.#isOver) throw error;
      return undefined;
    });
    if (!outcome) return;
    onAttempt(outcome);
    const before = row.cursor;
    Object.assign(row, this.#after(outcome, cursor));
    const isSame = await endAttempt(database, held, row, {
      at: BigInt(at),
      duration_ms: Math.max(0, now() - at),
      events: count,
      after_cursor: before,
      cursor,
      ...outcome,
    });
    if (!isSame || row.paused !== null) return this.#leave(onChanged);
    if (outcome.failure === null) return;
    this.#stop();
    this.#openAt = Number(row.next_attempt_at);
  }

  #post(cursor: string, events: string): Promise<Outcome> {
    const { posting, now } = this.#parts;
    const { targets, ...options } = posting;
    const { id, cursor: after, loopback } = this.#row;
    const url = new URL(this.#row.url);
    const allows = (address: string) => targets.allows(url, loopback, address);
    const body = `{"webhook":"${id}","after":"${after}","cursor":"${cursor}","events":[${events}]}`;
    const headers = {
      "content-type": "application/json",
      "user-agent": "tonwire",
      "tonwire-webhook": id,
      [signatureHeader]: signatureOf(this.#secrets, Math.floor(now() / 1000), body),
    };
    return post(url, headers, Buffer.from(body), { ...options, allows }, this.#ending.signal);
  }

  get #secrets(): string[] {
    const { secret, old_secret: old, old_secret_until: until } = this.#row;
    return old !== null && until !== null && this.#parts.now() < until ? [secret, old] : [secret];
  }

  /** The webhook's state after an attempt. */
  #after({ status, failure }: Outcome, cursor: string): Partial<WebhookRow> {
    if (failure === null)
      return { cursor, failures: 0, failing_since: null, failure: null, next_attempt_at: null };
    const { now, random } = this.#parts;
    const failures = this.#row.failures + 1;
    const failingSince = Number(this.#row.failing_since ?? now());
    const next =
      status === 410 ? undefined : nextAttempt({ failures, failingSince, now: now(), random: random() });
    const reason =
      status === 410
        ? "its receiver is gone (status 410)"
        : `no delivery succeeded for three days: ${failure}`;
    return {
      failures,
      failing_since: BigInt(failingSince),
      failure,
      next_attempt_at: next === undefined ? null : BigInt(next),
      paused: next === undefined ? reason : null,
    };
  }

  /** Ends the delivery; the next read of the database decides what follows. */
  #leave(onChanged: () => void): void {
    this.#end();
    onChanged();
  }

  #stop(): void {
    this.#feed?.close();
    this.#feed = undefined;
    this.#batch.take();
  }
}
