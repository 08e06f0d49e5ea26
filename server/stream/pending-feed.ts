import { settled } from "../../shared/values/promises.js";
import type { BookSettings } from "../present/v3/answer-extras.js";
import type { Queries } from "../store/database.js";
import { abiViews } from "./events/abi-views.js";
import { withTexts } from "./events/event-texts.js";
import type { StreamEvent } from "./events/events.js";
import type { HubCounts } from "./hub-counts.js";
import type { HubWork } from "./hub-work.js";
import type { PendingEvents, TraceChange } from "./pending-events.js";
import type { Audience } from "./subscriptions/audience.js";
import { Interests } from "./subscriptions/interests.js";
import { SentEvent } from "./subscriptions/sent-event.js";
import type { Subscription } from "./subscriptions/subscription.js";

type Parts = {
  work: HubWork;
  audience: Audience;
  pendingEvents: PendingEvents;
  book: BookSettings;
  counts: HubCounts;
};

/** Attempts to send pending events before the next block is sent. */
const looksBefore = 3;

/** Sends events that are expected or already in blocks, but not final. */
export class PendingFeed {
  readonly #parts: Parts;
  #looking: Promise<void> | undefined;
  /** Subscriptions that get all traces at the next look, changed or not. */
  readonly #newcomers = new Set<Subscription>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The next look sends a subscription all traces as they are. */
  add(subscription: Subscription): void {
    this.#newcomers.add(subscription);
  }

  /** Looks for changes before a block is sent. Repeated failures delay the final events only briefly. */
  async lookBefore(): Promise<void> {
    const { work } = this.#parts;
    for (let attempt = 0; attempt < looksBefore && !work.hasEnded; attempt++)
      if (await work.succeeds(() => this.look())) return;
  }

  /** Sends the changes since the last look. Looks run one at a time. */
  look(): Promise<void> {
    const before = this.#looking;
    const look = (async () => {
      if (before) await settled(before);
      await this.#lookOnce();
    })();
    this.#looking = look;
    return look.finally(() => {
      if (this.#looking === look) this.#looking = undefined;
    });
  }

  async #lookOnce(): Promise<void> {
    const { work, audience, pendingEvents, book } = this.#parts;
    if (work.hasEnded) return;
    if (!audience.interests.wantsPending) this.#newcomers.clear();
    if (!audience.interests.wantsPending && !pendingEvents.isFollowing) return;
    const newcomers = new Set(this.#newcomers);
    const { interests } = audience;
    const wanted = { texts: interests.wantsTexts ? book : undefined, views: abiViews(interests, book) };
    await pendingEvents.changes(
      { call: work.call, ...wanted, withUnchanged: newcomers.size > 0 },
      (read) => work.read(read),
      async (queries, changes) => {
        for (const change of changes) await this.#tell(queries, change, newcomers);
      },
    );
    for (const newcomer of newcomers) this.#newcomers.delete(newcomer);
  }

  async #tell(queries: Queries, change: TraceChange, newcomers: ReadonlySet<Subscription>): Promise<void> {
    const { audience, pendingEvents, book, counts } = this.#parts;
    const texts: [StreamEvent, readonly Subscription[], string][] = [];
    await withTexts(
      queries,
      change.events,
      { interests: audience.interests, book },
      (event, receivers, json) =>
        texts.push([event, receivers.filter((receiver) => !newcomers.has(receiver)), json]),
    );
    const open = [...newcomers].filter(({ isOpen }) => isOpen);
    await withTexts(
      queries,
      open.length > 0 ? change.all : [],
      { interests: new Interests(open), book },
      (...text) => texts.push(text),
    );
    // Its final form may have been sent meanwhile.
    const { trace } = change;
    if (pendingEvents.isFinal(trace)) return;
    if (change.isBroken) {
      const transactions = pendingEvents.hashesOf(trace);
      for (const receiver of pendingEvents.receiversOf(trace))
        receiver.tell({ type: "invalidated", trace, transactions });
    }
    const sentTo = new Set<Subscription>();
    for (const [event, receivers, json] of texts) {
      const { id, finality } = event;
      const sent = new SentEvent({ json, ...(id !== undefined && { id, finality }) });
      let count = 0;
      for (const receiver of receivers) {
        if (!receiver.takesPending) {
          counts.dropped++;
          continue;
        }
        count++;
        sentTo.add(receiver);
        const replaces = pendingEvents.replacedBy(event, receiver);
        receiver.sink.send(replaces === undefined ? sent : sent.replacing(replaces));
      }
      counts.sent(event, count);
    }
    change.settle(sentTo);
  }
}
