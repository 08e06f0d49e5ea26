import { describe, expect, it } from "vitest";
import { codeOf, traceStates } from "../../server/store/codes.js";
import type { Queries } from "../../server/store/database.js";
import type { UnitName } from "../../server/store/queries/blocks/units.js";
import { startOf } from "../../server/stream/feed-start.js";
import type { Hub } from "../../server/stream/hub.js";
import { Reverts } from "../../server/stream/reverts.js";
import { cursorOf, type EventKey, endOf, keyOfCursor } from "../../server/stream/subscriptions/event-key.js";
import { LastStatus, MessageWatch } from "../../server/stream/subscriptions/message-watches.js";
import type { MessageStatus } from "../../shared/schema/v3/message-status.js";
import { hashOf, MemoryIndex, unitAt } from "./memory-index.js";

const chain = "00000000";

/** As much of a hub as the start of a feed uses, at block 8 of an index with blocks 3 to 8. */
class FakeHub {
  readonly chain = chain;
  readonly index = new MemoryIndex();
  readonly reverts = new Reverts();
  head: UnitName | undefined = unitAt(8);
  /** The blocks that were waited for. */
  readonly awaited: [seqno: number, maxMs: number][] = [];

  constructor() {
    this.index.add(3, 4, 5, 6, 7, 8);
  }
  get seqno(): number | undefined {
    return this.head?.seqno;
  }
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return work(this.index);
  }
  async reaches(seqno: number, maxMs: number): Promise<boolean> {
    this.awaited.push([seqno, maxMs]);
    return seqno <= (this.seqno ?? 0);
  }
}

const start = (hub: FakeHub, asked: Parameters<typeof startOf>[1] = {}) =>
  startOf(hub as unknown as Hub, asked);
const keyAt = (seqno: number, more: Partial<EventKey> = {}): EventKey => ({
  ...{ seqno, rank: 1, lt: 7n, id: "", unit: "01010101" },
  ...more,
});
const cursorAt = (seqno: number, more: Partial<EventKey> = {}) => ({
  cursor: cursorOf(keyAt(seqno, more), chain),
});
/** The place behind a block that is not stored. */
const behindAll = (seqno: number): EventKey => ({ seqno, rank: 9, lt: 0n, id: "" });

describe("the start of a subscription", () => {
  it("is behind the newest block by default", async () => {
    expect(await start(new FakeHub())).toEqual({
      ...{ after: endOf(unitAt(8)), next: 9, isPast: false, history: 0, hasEnded: false },
      revertedTo: undefined,
    });
  });

  it("is not known before the first block", async () => {
    const hub = new FakeHub();
    hub.head = undefined;
    await expect(start(hub)).rejects.toMatchObject({
      code: "unavailable",
      message: "The streams are starting",
    });
    const empty = new FakeHub();
    empty.index.units = [];
    await expect(start(empty, { from: { mc_seqno: 5 } })).rejects.toMatchObject({
      code: "unavailable",
      message: "The streams are starting",
    });
  });

  it("is looked up again if the index was reverted meanwhile", async () => {
    const hub = new FakeHub();
    hub.index.onStatement = () => {
      hub.index.onStatement = () => {};
      hub.head = unitAt(7);
      hub.reverts.add([unitAt(8)], unitAt(7));
    };
    expect(await start(hub, { trace: hashOf(11) })).toMatchObject({ next: 8, after: endOf(unitAt(7)) });
  });

  it("has the last block, and ends where it has been passed", async () => {
    const hub = new FakeHub();
    expect(await start(hub, { to: 20 })).toMatchObject({ to: 20, hasEnded: false, history: 0 });
    expect(await start(hub, { to: 9 })).toMatchObject({ hasEnded: false });
    expect(await start(hub, { to: 8 })).toMatchObject({ to: 8, hasEnded: true, history: 0 });
    const from = { mc_seqno: 5 };
    expect(await start(hub, { from, to: 7 })).toMatchObject({ to: 7, hasEnded: false, history: 2 });
    expect(await start(hub, { from, to: 4 })).toMatchObject({ to: 4, hasEnded: true, history: 0 });
    expect("to" in (await start(hub))).toBe(false);
  });
});

describe("a start at a block", () => {
  it("is before its events", async () => {
    expect(await start(new FakeHub(), { from: { mc_seqno: 5 } })).toEqual({
      ...{ after: endOf(unitAt(4)), next: 5, isPast: true, history: 3, hasEnded: false },
      revertedTo: undefined,
    });
  });

  it("is at most behind the newest block", async () => {
    const hub = new FakeHub();
    expect(await start(hub, { from: { mc_seqno: 9 } })).toMatchObject({ next: 9, history: 0 });
    expect(await start(hub, { from: { mc_seqno: 90 } })).toMatchObject({ next: 9, after: endOf(unitAt(8)) });
  });

  it("is refused before the first stored block, unless that is the first one of the chain", async () => {
    const hub = new FakeHub();
    expect(await start(hub, { from: { mc_seqno: 3 } })).toMatchObject({ next: 3, after: behindAll(2) });
    await expect(start(hub, { from: { mc_seqno: 2 } })).rejects.toMatchObject({
      code: "cursor-too-old",
      data: { first: 3 },
    });
    hub.index.add(1, 2);
    expect(await start(hub, { from: { mc_seqno: 0 } })).toMatchObject({ next: 1, after: behindAll(0) });
  });
});

describe("a start at a time", () => {
  const timeOf = (seqno: number) => Number(unitAt(seqno).genUtime);

  it("is the first block that has come to it", async () => {
    const hub = new FakeHub();
    const nextAt = async (utime: number) => (await start(hub, { from: { utime } })).next;
    expect(await Promise.all([timeOf(5), timeOf(5) + 1, 0, timeOf(8)].map(nextAt))).toEqual([5, 6, 3, 8]);
  });

  it("is behind the newest block if none has", async () => {
    const hub = new FakeHub();
    expect(await start(hub, { from: { utime: timeOf(9) } })).toMatchObject({
      next: 9,
      after: endOf(unitAt(8)),
    });
    // The index has a block that the hub has not sent.
    hub.index.add(9, 10);
    expect(await start(hub, { from: { utime: timeOf(10) } })).toMatchObject({ next: 9 });
    expect(await start(hub, { from: { utime: timeOf(12) } })).toMatchObject({ next: 9 });
  });

  it("is also that of a logical time", async () => {
    const hub = new FakeHub();
    const nextAt = async (lt: bigint) => (await start(hub, { from: { lt } })).next;
    expect(await Promise.all([5000n, 5999n, 6000n, 99_000n].map(nextAt))).toEqual([5, 5, 6, 9]);
  });
});

describe("a start at a cursor", () => {
  it("is behind its event", async () => {
    const hub = new FakeHub();
    expect(await start(hub, { from: cursorAt(6) })).toEqual({
      ...{ after: keyAt(6), next: 6, isPast: true, history: 2, hasEnded: false },
      revertedTo: undefined,
    });
    expect(hub.awaited).toEqual([[6, 10_000]]);
  });

  it("of another chain, or of no cursor, is refused with its parameter", async () => {
    const hub = new FakeHub();
    const other = { cursor: cursorOf(keyAt(6), "00000001") };
    await expect(start(hub, { from: other })).rejects.toMatchObject({
      code: "invalid-params",
      message: "from contains no cursor of this chain",
      data: { param: "from" },
    });
    await expect(start(hub, { from: { cursor: "x" }, cursorParam: "cursor" })).rejects.toMatchObject({
      message: "cursor contains no cursor of this chain",
      data: { param: "cursor" },
    });
  });

  it("ahead of the index is waited for", async () => {
    const hub = new FakeHub();
    await expect(start(hub, { from: cursorAt(9) })).rejects.toMatchObject({
      code: "unavailable",
      message: "the cursor is ahead of the index",
    });
    expect(hub.awaited).toEqual([[9, 10_000]]);
  });

  it("before the first stored block is too old, unless it is behind all events before that", async () => {
    const hub = new FakeHub();
    await expect(start(hub, { from: cursorAt(2) })).rejects.toMatchObject({
      code: "cursor-too-old",
      data: { first: 3 },
    });
    const end = endOf(unitAt(2));
    expect(await start(hub, { from: { cursor: cursorOf(end, chain) } })).toMatchObject({
      next: 3,
      after: end,
    });
    hub.index.units = [];
    const refused = start(hub, { from: cursorAt(6) });
    await expect(refused).rejects.toMatchObject({ code: "cursor-too-old", data: {} });
  });

  it("of a block that is missing leaves the revert to the hub", async () => {
    const hub = new FakeHub();
    hub.index.units = hub.index.units.filter(({ seqno }) => seqno !== 6);
    hub.index.range = { first: 3, last: 8 };
    expect(await start(hub, { from: cursorAt(6) })).toMatchObject({ next: 6, after: keyAt(6) });
  });

  it("of an unknown block of another fork begins again", async () => {
    const base = { ...unitAt(6), seqno: 2, rootHash: new Uint8Array(32) };
    expect(await start(new FakeHub(), { from: cursorAt(6, { unit: "02020202" }) })).toMatchObject({
      next: 3,
      after: endOf(base),
      revertedTo: base,
      history: 5,
    });
  });

  it("without the mark of its block is taken as it is", async () => {
    const { unit: _, ...key } = keyAt(6);
    expect(await start(new FakeHub(), { from: { cursor: cursorOf(key, chain) } })).toMatchObject({
      next: 6,
      after: key,
      revertedTo: undefined,
    });
  });

  it("of a reverted block is behind the block that stayed", async () => {
    const hub = new FakeHub();
    hub.reverts.add([unitAt(6, 2), unitAt(7, 2)], unitAt(5));
    expect(await start(hub, { from: cursorAt(7, { unit: "02020202" }) })).toMatchObject({
      next: 6,
      after: endOf(unitAt(5)),
      revertedTo: unitAt(5),
      history: 2,
    });
    expect(hub.awaited).toEqual([]);
    hub.index.units = hub.index.units.filter(({ seqno }) => seqno < 7);
    hub.head = unitAt(6);
    expect(await start(hub, { from: cursorAt(7, { unit: "02020202" }) })).toMatchObject({ next: 6 });
  });

  it("of a reverted block that was made again is behind its event", async () => {
    const hub = new FakeHub();
    hub.reverts.add([unitAt(6), unitAt(7)], unitAt(5));
    expect(await start(hub, { from: cursorAt(6) })).toMatchObject({
      next: 6,
      after: keyAt(6),
      revertedTo: undefined,
    });
  });
});

describe("a start with a single trace", () => {
  /** A trace that ended in block 6. */
  function withTrace(more: object = {}) {
    const hub = new FakeHub();
    hub.index.traces.push({ id: 11, seqno: 6, external_hash_norm: hashOf(91), ...more });
    return hub;
  }
  const [byId, byMessage] = [hashOf(11), hashOf(91)];

  it("is at the block in which it ended, which is the last one", async () => {
    const ended = {
      ...{ after: endOf(unitAt(5)), next: 6, to: 6, isPast: false, history: 0, hasEnded: false },
      revertedTo: undefined,
    };
    for (const trace of [byId, byMessage]) expect(await start(withTrace(), { trace })).toEqual(ended);
    expect(await start(withTrace(), { trace: byId, to: 5 })).toMatchObject({
      next: 6,
      to: 5,
      hasEnded: true,
    });
    expect(await start(withTrace(), { trace: byId, to: 7 })).toMatchObject({ next: 6, to: 6 });
  });

  it("is behind the newest block as long as it has not ended", async () => {
    const newest = { after: endOf(unitAt(8)), next: 9, history: 0, hasEnded: false };
    const open = withTrace({ state: codeOf(traceStates, "pending") });
    for (const hub of [open, new FakeHub()]) {
      const found = await start(hub, { trace: byId });
      expect(found).toMatchObject(newest);
      expect("to" in found).toBe(false);
    }
  });

  it("is at the block that its events were left to", async () => {
    const hub = withTrace();
    hub.index.lateTraces.push({ id: 11, told: 7 });
    expect(await start(hub, { trace: byId })).toMatchObject({ after: endOf(unitAt(6)), next: 7, to: 7 });
    hub.index.lateTraces = [{ id: 11, told: null }];
    const waiting = await start(hub, { trace: byId });
    expect([waiting.next, "to" in waiting]).toEqual([9, false]);
  });

  it("goes on behind a cursor", async () => {
    expect(await start(withTrace(), { trace: byId, from: cursorAt(7) })).toMatchObject({
      ...{ after: keyAt(7), next: 7, to: 6, hasEnded: true, isPast: true },
    });
    expect(await start(withTrace(), { trace: byId, from: { mc_seqno: 4 } })).toMatchObject({
      ...{ after: endOf(unitAt(3)), next: 4, to: 6, hasEnded: false, history: 2 },
    });
  });
});

describe("a start with a message", () => {
  const message = hashOf(77);
  /** The cursor of a client that has this status. */
  function cursorWith(status: string) {
    const marks: string[] = [];
    const sink = { isFull: false, changed: (_: MessageStatus, mark: string) => marks.push(mark), ended() {} };
    const watch = new MessageWatch({ hash: message, waitMs: 0, lastStatus: undefined }, 0, sink);
    watch.tell({ status } as MessageStatus, 0);
    return { mark: marks[0]!, from: cursorAt(5, { id: LastStatus.after(undefined, marks[0]!).text }) };
  }

  it("is behind the newest block, wherever the subscription was before", async () => {
    const newest = { after: endOf(unitAt(8)), next: 9, isPast: false, history: 0, hasEnded: false };
    const hub = new FakeHub();
    expect(await start(hub, { message })).toEqual({
      ...newest,
      revertedTo: undefined,
      lastStatus: undefined,
    });
    expect(await start(hub, { message, from: { mc_seqno: 4 }, to: 10 })).toMatchObject({ ...newest, to: 10 });
    expect("to" in (await start(hub, { message }))).toBe(false);
  });

  it("knows the last status that the client has, and whether it was final", async () => {
    const [pending, completed] = [cursorWith("pending"), cursorWith("completed")];
    const hub = new FakeHub();
    const going = await start(hub, { message, from: pending.from });
    expect([going.lastStatus?.mark, going.hasEnded, going.next]).toEqual([pending.mark, false, 9]);
    const ended = await start(hub, { message, from: completed.from });
    expect([ended.lastStatus?.mark, ended.hasEnded]).toEqual([completed.mark, true]);
    const other = await start(hub, { message: hashOf(78), from: completed.from });
    expect(other.hasEnded).toBe(false);
  });

  it("knows of a revert, unless the client has the final status", async () => {
    const hub = new FakeHub();
    hub.reverts.add([unitAt(5, 2)], unitAt(4));
    const at = (status: string) => {
      const { id } = keyOfCursor(cursorWith(status).from.cursor, chain)!;
      return { message, from: cursorAt(5, { id, unit: "02020202" }) };
    };
    expect(await start(hub, at("pending"))).toMatchObject({ revertedTo: unitAt(4), hasEnded: false });
    expect(await start(hub, at("completed"))).toMatchObject({ revertedTo: undefined, hasEnded: true });
  });
});
