import { bytesEqual, bytesToBase64 } from "../../shared/values/bytes.js";
import { waitUntil } from "../os/wait-until.js";
import type { BookSettings } from "../present/v3/answer-extras.js";
import type { Queries } from "../store/database.js";
import { tracesEndedIn, type UnitName, unitRange, unitsAmong } from "../store/queries/blocks/units.js";
import type { ReadEdits } from "./events/account-edits.js";
import { type FinalSentEvent, finalSent, withTexts } from "./events/event-texts.js";
import type { StreamEvent } from "./events/events.js";
import { readEvents } from "./events/read-events.js";
import { UnitSource } from "./events/unit-source.js";
import type { HubCounts } from "./hub-counts.js";
import type { PendingEvents } from "./pending-events.js";
import { Reverts, SentLog } from "./reverts.js";
import type { Audience } from "./subscriptions/audience.js";
import type { Subscription } from "./subscriptions/subscription.js";

type Parts = {
  audience: Audience;
  pendingEvents: PendingEvents | undefined;
  book: BookSettings;
  counts: HubCounts;
  /** Distinguishes this chain's cursors from those of others. */
  chain: string;
  readEdits: ReadEdits | undefined;
  /** Whether the chain can be reverted. */
  isDevnet: boolean;
  /** Wall clock, ms. */
  now: () => number;
};

/** Sends new blocks and reverts to all subscriptions at the head, one block at a time. */
export class NewestUnits {
  readonly #parts: Parts;
  readonly #sent = new SentLog();
  readonly #reverts = new Reverts();
  readonly #listeners = new Set<() => void>();
  #position: UnitName | undefined;
  #reading: { seqno: number; done: Promise<void> } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The last block whose events were sent. */
  get position(): UnitName | undefined {
    return this.#position;
  }

  /** The block being read for the subscriptions at the head; subscriptions that join now read it separately. */
  get reading(): { readonly seqno: number; readonly done: Promise<void> } | undefined {
    return this.#reading;
  }

  get reverts(): Pick<Reverts, "baseOf" | "count"> {
    return this.#reverts;
  }

  /** Calls back after each sent block and each revert. */
  onReached(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Resolves when a block was sent, or after `maxMs`. Returns whether it was. */
  async reaches(seqno: number, maxMs: number): Promise<boolean> {
    const holds = () => (this.#position?.seqno ?? 0) >= seqno;
    await waitUntil({ holds, onChange: (listener) => this.onReached(listener) }, maxMs);
    return holds();
  }

  /** Sends one block or processes a revert. Returns whether the newest block is reached. */
  async step(queries: Queries): Promise<boolean> {
    const range = await unitRange(queries);
    if (!range) return true;
    const before = this.#position;
    const seqnos = before ? [before.seqno, before.seqno + 1, range.last] : [range.last];
    const units = new Map((await unitsAmong(queries, seqnos)).map((unit) => [unit.seqno, unit]));
    const newest = units.get(range.last);
    if (!newest) return true;
    if (!before) {
      this.#reach(newest);
      return true;
    }
    const stored = units.get(before.seqno);
    if (!stored || !bytesEqual(stored.rootHash, before.rootHash)) {
      await this.#revert(queries, newest);
      return false;
    }
    if (newest.seqno <= before.seqno) return true;
    const { audience, pendingEvents } = this.#parts;
    if (audience.all.size === 0) {
      pendingEvents?.forget();
      this.#reach(newest);
      return true;
    }
    const unit = units.get(before.seqno + 1);
    if (!unit) return true;
    const done = this.#tell(queries, unit);
    this.#reading = { seqno: unit.seqno, done };
    try {
      await done;
    } finally {
      this.#reading = undefined;
    }
    return unit.seqno === newest.seqno;
  }

  async #tell(queries: Queries, unit: UnitName): Promise<void> {
    const { audience, pendingEvents, book, counts, chain, isDevnet, readEdits, now } = this.#parts;
    const { interests } = audience;
    const events = await readEvents(new UnitSource(queries, unit.seqno, book, readEdits), interests);
    const ended = await this.#endedIn(queries, unit);
    await withTexts(queries, events, { interests, book }, (event, receivers, json) => {
      const sent = finalSent(unit, event, json, chain);
      let count = 0;
      for (const receiver of receivers) {
        if (!receiver.offer(this.#replacing(event, receiver, sent))) continue;
        count++;
        if (event.isLast) audience.finishTrace(receiver, unit);
        if (isDevnet && event.trace !== undefined && event.id === undefined)
          this.#sent.add(unit.seqno, event.trace, receiver);
      }
      counts.sent(event, count);
    });
    counts.delayed(now() / 1000 - Number(unit.genUtime));
    for (const trace of ended) pendingEvents?.end(trace);
    this.#reach(unit);
    for (const subscription of audience.all)
      if (subscription.to !== undefined && subscription.next === undefined && unit.seqno >= subscription.to)
        audience.finish(subscription);
  }

  /** The event for a client that received it before under another id. */
  #replacing(event: StreamEvent, receiver: Subscription, sent: FinalSentEvent): FinalSentEvent {
    const replaces = this.#parts.pendingEvents?.replacedBy(event, receiver);
    return replaces === undefined ? sent : (sent.replacing(replaces) as FinalSentEvent);
  }

  #reach(unit: UnitName): void {
    this.#position = unit;
    this.#sent.reached(unit);
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Names of traces completed by a block, if pending events depend on them. */
  async #endedIn(queries: Queries, { seqno }: UnitName): Promise<string[]> {
    const { audience, pendingEvents } = this.#parts;
    const isConcerned = audience.interests.wantsPending || pendingEvents?.isFollowing;
    if (!pendingEvents || !isConcerned) return [];
    const rows = await tracesEndedIn(queries, seqno);
    return rows.flatMap(({ external_hash_norm: hash }) => (hash ? [bytesToBase64(hash)] : []));
  }

  /** The index reverted blocks: invalidates their events. */
  async #revert(queries: Queries, newest: UnitName): Promise<void> {
    const { audience, pendingEvents } = this.#parts;
    const sent = this.#sent.units;
    const stored = await unitsAmong(
      queries,
      sent.map(({ seqno }) => seqno),
    );
    const hashes = new Map(stored.map(({ seqno, rootHash }) => [seqno, rootHash]));
    const common = sent.findLast(({ seqno, rootHash }) => {
      const now = hashes.get(seqno);
      return now !== undefined && bytesEqual(now, rootHash);
    });
    const to = common ?? newest;
    this.#reverts.add(
      sent.filter(({ seqno }) => seqno > to.seqno),
      to,
    );
    const undone = this.#sent.takeAbove(common?.seqno ?? -1);
    const sentHashes = new Map<string, readonly string[]>();
    for (const { trace, receivers, hashes } of pendingEvents?.forget() ?? []) {
      sentHashes.set(trace, hashes);
      for (const receiver of receivers) undone.push({ trace, receiver });
    }
    const traces = new Map<Subscription, Set<string>>();
    for (const { trace, receiver } of undone)
      traces.set(receiver, (traces.get(receiver) ?? new Set()).add(trace));
    for (const [receiver, names] of traces)
      for (const trace of names)
        receiver.tell({ type: "invalidated", trace, transactions: sentHashes.get(trace) ?? [] });
    this.#position = to;
    for (const subscription of audience.all) subscription.revert(to);
    this.#notify();
  }
}
