import { expect, it } from "vitest";
import type { TraceChange } from "../../server/stream/pending-events.js";
import { PendingFeed } from "../../server/stream/pending-feed.js";
import { nothing } from "../../server/stream/subscriptions/filter.js";
import { Subscription } from "../../server/stream/subscriptions/subscription.js";
import { MemoryClient } from "./memory-client.js";
import { MemoryIndex } from "./memory-index.js";

it("Those who were sent a pending trace hear that it is gone, unless it has become final", async () => {
  const [receiver, other] = [new MemoryClient(), new MemoryClient()];
  const subscriptions = [receiver, other].map((client) => new Subscription(client, nothing));
  const settled: string[] = [];
  const gone = (trace: string): TraceChange => ({
    trace,
    isBroken: true,
    events: [],
    all: [],
    settle: () => settled.push(trace),
  });
  const index = new MemoryIndex();
  const pendingEvents = {
    isFollowing: true,
    changes: (
      _: unknown,
      __: unknown,
      take: (queries: MemoryIndex, changes: TraceChange[]) => Promise<void>,
    ) => take(index, [gone("lost"), gone("final")]),
    isFinal: (trace: string) => trace === "final",
    hashesOf: (trace: string) => [`of ${trace}`],
    receiversOf: () => subscriptions.slice(0, 1),
  };
  const feed = new PendingFeed({
    work: { hasEnded: false },
    audience: { interests: { abiOwners: [] } },
    pendingEvents,
    book: {},
    counts: {},
  } as never);
  await feed.look();
  expect(receiver.notices).toEqual([{ type: "invalidated", trace: "lost", transactions: ["of lost"] }]);
  expect([other.notices, settled]).toEqual([[], ["lost"]]);
});
