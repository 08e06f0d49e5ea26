import { ArtifactStore } from "../../server/artifacts/store.js";
import type { Devnet } from "../../server/devnet/devnet.js";
import { messageStatusOf } from "../../server/methods/v3/messages/status.js";
import type { Database } from "../../server/store/database.js";
import { invalidation } from "../../server/stream/events/events.js";
import { Hub } from "../../server/stream/hub.js";
import { actionChoice } from "../../server/stream/subscriptions/action-choice.js";
import type { EventKey } from "../../server/stream/subscriptions/event-key.js";
import { type Filter, nothing } from "../../server/stream/subscriptions/filter.js";
import type { SentEvent } from "../../server/stream/subscriptions/sent-event.js";
import type { Notice, Sink } from "../../server/stream/subscriptions/subscription.js";
import { openStoryReading } from "../helpers/stories/story-app.js";
import { until } from "../helpers/until.js";

/** An event as a client reads it. */
export type Told = { type: string; finality?: string; [member: string]: unknown };

/** A client that records its events and may refuse to read. */
export class TestSink implements Sink {
  isFull = false;
  readonly events: Told[] = [];
  readonly keys: (EventKey | undefined)[] = [];
  /** Seqnos of the blocks above which everything became void. */
  readonly reverts: number[] = [];

  send({ json, key }: Pick<SentEvent, "json" | "key">): void {
    this.events.push(JSON.parse(json));
    this.keys.push(key);
  }

  tell(notice: Notice): void {
    if (notice.type === "reverted") this.reverts.push(notice.to.seqno);
    if (notice.type === "invalidated") this.send({ json: invalidation(notice.trace), key: undefined });
  }

  ofType(type: string): Told[] {
    return this.events.filter((event) => event.type === type);
  }
}

/** A filter for everything about some accounts. */
export function filterWith(special: Partial<Filter>): Filter {
  return { ...nothing, actions: actionChoice([], []), ...special };
}

/** Before all events of a block. */
export const atBlock = (seqno: number): EventKey => ({ seqno, rank: 0, lt: 0n, id: "" });

/** A hub over a devnet and an index that a test fills. */
export async function openHub(devnet: Devnet, database: Database) {
  const reading = await openStoryReading(devnet, database);
  const { head, index, executor, sentMessages, pending, book, now, fallback } = reading;
  const messageDeps = { ...reading, artifacts: new ArtifactStore(), isIndexLate: () => false };
  const errors: Error[] = [];
  let statements = 0;
  const hub = new Hub({
    index: {
      read: (call, work) =>
        index.read(call, (queries, bookmarks) => {
          const query: typeof queries.query = (...statement) => {
            statements++;
            return queries.query(...statement);
          };
          const isDivided = () => queries.isDivided();
          return work({ query, isDivided }, bookmarks);
        }),
    },
    book,
    pending,
    isDevnet: true,
    readMessage: (hash, call) => messageStatusOf({ hash }, messageDeps, call),
    chain: "00000000",
    now,
    fallback,
    onError: (error) => errors.push(error),
  });
  head.onMoved(() => hub.chainChanged());
  sentMessages.onKept(() => hub.chainChanged());
  hub.start();
  /** Waits until the hub has sent everything up to a block. */
  const reaches = async (seqno: number) => {
    hub.indexChanged();
    await until(
      () => `the hub to reach block ${seqno}: ${hub.seqno} ${errors}`,
      () => hub.seqno === seqno || errors.length > 0,
    );
    if (errors.length > 0) throw errors[0];
  };
  const close = async () => {
    await hub.close();
    await executor.close();
  };
  return { hub, reaches, errors, close, statements: () => statements };
}
