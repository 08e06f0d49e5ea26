import { ServiceError } from "../errors.js";
import type { BookSettings } from "../present/v3/answer-extras.js";
import type { Queries } from "../store/database.js";
import { type UnitName, unitRange, unitsAmong } from "../store/queries/blocks/units.js";
import type { ReadEdits } from "./events/account-edits.js";
import { finalSent, withTexts } from "./events/event-texts.js";
import { readEvents } from "./events/read-events.js";
import { UnitSource } from "./events/unit-source.js";
import type { HubCounts } from "./hub-counts.js";
import type { HubWork } from "./hub-work.js";
import { MatchingUnits } from "./matching-units.js";
import type { NewestUnits } from "./newest-units.js";
import { keptEvents } from "./replays.js";
import type { Audience } from "./subscriptions/audience.js";
import type { Filter } from "./subscriptions/filter.js";
import { Interests } from "./subscriptions/interests.js";
import type { OwnEvent, Subscription } from "./subscriptions/subscription.js";

type Parts = {
  work: HubWork;
  audience: Audience;
  newest: Pick<NewestUnits, "position" | "reading">;
  book: BookSettings;
  counts: HubCounts;
  chain: string;
  readEdits: ReadEdits | undefined;
  /** Called when a subscription has reached the newest block. */
  onCaughtUp: (subscription: Subscription) => void;
};

/** Bytes of unsent events kept from a partly sent block. */
const maxRestBytes = 64 * 1024;

type Place = {
  readonly next: number;
  /** How often the subscription had been set back as this place was its next one. */
  readonly setBacks: number;
  /** The last block to look at. */
  readonly last: number;
  readonly units: MatchingUnits | undefined;
};

/** Reads the index separately for each lagging subscription until it has caught up. */
export class CatchUp {
  readonly #parts: Parts;
  readonly #running = new Set<Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Resolves when no read is running; call after the work has ended. */
  async close(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Continues a subscription where it stopped. */
  begin(subscription: Subscription): void {
    const done: Promise<void> = this.#read(subscription).finally(() => this.#running.delete(done));
    this.#running.add(done);
  }

  async #read(subscription: Subscription): Promise<void> {
    const { work, audience, newest } = this.#parts;
    let ahead: { units: MatchingUnits | undefined; filter: Filter; setBacks: number } | undefined;
    subscription.isCatchingUp = true;
    try {
      while (subscription.isOpen && !subscription.sink.isFull && !work.hasEnded) {
        const { next, to } = subscription;
        if (next === undefined) return;
        if (to !== undefined && next > to) {
          audience.finish(subscription);
          return;
        }
        // A block being read for the subscriptions at the head does not reach this one, so it is read here too.
        const last = newest.reading?.seqno ?? newest.position?.seqno ?? 0;
        if (next > last) {
          subscription.tellOwed(0);
          subscription.caughtUp();
          this.#parts.onCaughtUp(subscription);
          return;
        }
        if (this.#tellRest(subscription, next)) continue;
        const { filter, setBacks } = subscription;
        if (ahead?.filter !== filter || ahead.setBacks !== setBacks)
          ahead = { units: MatchingUnits.of(filter, this.#parts.readEdits !== undefined), filter, setBacks };
        const { units } = ahead;
        const reading = work
          .read((queries) =>
            this.#tell(queries, subscription, { next, setBacks, last: Math.min(last, to ?? last), units }),
          )
          .finally(() => {
            subscription.reading = undefined;
          });
        subscription.reading = reading;
        await work.succeeds(() => reading);
      }
    } finally {
      // In the same turn: who sets the subscription back in the next one has to begin again.
      subscription.isCatchingUp = false;
    }
  }

  /** Sends the events of the next possibly relevant block to one subscription. */
  async #tell(queries: Queries, subscription: Subscription, place: Place): Promise<void> {
    const { next, setBacks, last, units } = place;
    const { book, counts, chain, readEdits } = this.#parts;
    const { filter, replay } = subscription;
    const isCurrent = () => subscription.isOpen && subscription.setBacks === setBacks;
    const [unit] = await unitsAmong(queries, [next]);
    if (!unit) {
      const range = await unitRange(queries);
      // The index was reverted; the hub handles that.
      if (!range || next >= range.first) throw new ServiceError("unavailable", "the block was reverted");
      if (isCurrent()) subscription.next = range.first;
      return;
    }
    const concerned = (await units?.next(queries, next, last)) ?? next;
    if (concerned > next) {
      const [before] = await unitsAmong(queries, [concerned - 1]);
      if (!before) throw new ServiceError("unavailable", "the block was reverted");
      if (isCurrent()) subscription.passed(before);
      return;
    }
    counts.resumedUnits++;
    const interests = new Interests([subscription]);
    const all = await readEvents(new UnitSource(queries, next, book, readEdits), interests);
    const events = await keptEvents(queries, all, { seqno: next, replay });
    const rest: OwnEvent[] = [];
    let bytes = 0;
    let isWhole = true;
    await withTexts(queries, events, { interests, book }, (event, _, json) => {
      const sent = finalSent(unit, event, json, chain);
      if (!isCurrent() || (rest.length === 0 && this.#give(subscription, unit, { event, sent }))) return;
      isWhole &&= bytes < maxRestBytes;
      if (!isWhole) return;
      rest.push({ event, sent });
      bytes += json.length;
    });
    if (!isCurrent()) return;
    if (rest.length === 0) subscription.passed(unit);
    else subscription.rest = { unit, events: rest, isWhole, filter };
  }

  /** Sends the remaining events of a partly sent block. Returns whether there were any. */
  #tellRest(subscription: Subscription, next: number): boolean {
    const { rest } = subscription;
    subscription.rest = undefined;
    if (!rest || rest.unit.seqno !== next || rest.filter !== subscription.filter) return false;
    const { unit, events, isWhole } = rest;
    for (const [at, each] of events.entries()) {
      if (this.#give(subscription, unit, each)) continue;
      if (subscription.isOpen) subscription.rest = { ...rest, events: events.slice(at) };
      return true;
    }
    if (isWhole && subscription.isOpen) subscription.passed(unit);
    return isWhole || !subscription.isOpen;
  }

  /** Returns whether the client has the event. */
  #give(subscription: Subscription, unit: UnitName, { event, sent }: OwnEvent): boolean {
    const { audience, counts } = this.#parts;
    subscription.tellOwed(this.#secondsBehind(unit));
    if (!subscription.give(sent)) return false;
    counts.sent(event, 1);
    if (event.isLast) audience.finishTrace(subscription, unit);
    return true;
  }

  #secondsBehind(unit: UnitName): number {
    return Number((this.#parts.newest.position ?? unit).genUtime - unit.genUtime);
  }
}
