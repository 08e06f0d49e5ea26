import { ServiceError } from "../errors.js";
import type { BookSettings } from "../methods/v3/answer-extras.js";
import type { Queries } from "../store/database.js";
import { type UnitName, unitRange, unitsAmong } from "../store/queries/units.js";
import type { Audience } from "./audience.js";
import { finalSent, withTexts } from "./event-texts.js";
import type { HubCounts } from "./hub-counts.js";
import type { HubWork } from "./hub-work.js";
import { Interests } from "./interests.js";
import type { NewestUnits } from "./newest-units.js";
import { readEvents } from "./read-events.js";
import type { Subscription } from "./subscription.js";
import { UnitSource } from "./unit-source.js";

type Parts = {
  work: HubWork;
  audience: Audience;
  newest: Pick<NewestUnits, "position" | "reading">;
  book: BookSettings;
  counts: HubCounts;
  chain: string;
};

/** Reads the index for subscriptions that lag, each by itself, until they have caught up. */
export class CatchUp {
  readonly #parts: Parts;
  readonly #running = new Set<Promise<void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Resolves once nothing is read any more, after the end of the work. */
  async close(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Goes on with a subscription where it stopped. */
  begin(subscription: Subscription): void {
    subscription.isCatchingUp = true;
    const done: Promise<void> = this.#read(subscription).finally(() => {
      subscription.isCatchingUp = false;
      this.#running.delete(done);
    });
    this.#running.add(done);
  }

  async #read(subscription: Subscription): Promise<void> {
    const { work, audience, newest } = this.#parts;
    while (subscription.isOpen && !subscription.sink.isFull && !work.hasEnded) {
      const { next, to } = subscription;
      if (next === undefined) return;
      if (to !== undefined && next > to) {
        audience.finish(subscription);
        return;
      }
      // A block that is being read for all others is not read for this one, so it is read here.
      if (next > (newest.reading?.seqno ?? newest.position?.seqno ?? 0)) {
        subscription.tellOwed(0);
        subscription.caughtUp();
        return;
      }
      const reading = work
        .read((queries) => this.#tell(queries, subscription, next))
        .finally(() => {
          subscription.reading = undefined;
        });
      subscription.reading = reading;
      await work.succeeds(() => reading);
    }
  }

  /** The events of one block for one subscription. */
  async #tell(queries: Queries, subscription: Subscription, seqno: number): Promise<void> {
    const { audience, book, counts, chain } = this.#parts;
    const { reverts } = subscription;
    const [unit] = await unitsAmong(queries, [seqno]);
    if (!unit) {
      const range = await unitRange(queries);
      // The index was reverted, which the hub is going to notice.
      if (!range || seqno >= range.first) throw new ServiceError("unavailable", "the block was reverted");
      subscription.next = range.first;
      return;
    }
    counts.resumedUnits++;
    const interests = new Interests([subscription]);
    const events = await readEvents(new UnitSource(queries, seqno), interests);
    let isWhole = true;
    await withTexts(queries, events, { interests, book }, (event, _, json) => {
      isWhole &&= subscription.isOpen && subscription.reverts === reverts;
      if (!isWhole) return;
      subscription.tellOwed(this.#secondsBehind(unit));
      isWhole = subscription.give(finalSent(unit, event, json, chain));
      if (isWhole) counts.sent(event, 1);
      if (isWhole && event.isLast) audience.finishTrace(subscription, unit);
    });
    if (isWhole && subscription.isOpen && subscription.reverts === reverts) subscription.passed(unit);
  }

  #secondsBehind(unit: UnitName): number {
    return Number((this.#parts.newest.position ?? unit).genUtime - unit.genUtime);
  }
}
