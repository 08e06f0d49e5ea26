import type { SubscriptionFrom } from "../../shared/schema/streams/subscription-params.js";
import { bytesOfBase64 } from "../../shared/values/bytes.js";
import { ServiceError } from "../errors.js";
import type { Queries } from "../store/database.js";
import { firstUnit, type UnitName, unitRange, unitsAmong } from "../store/queries/blocks/units.js";
import { listTraces } from "../store/queries/traces/traces.js";
import { blockOfLateTrace } from "../store/queries/upkeep/late-events.js";
import type { Hub, Start } from "./hub.js";
import { compareKeys, type EventKey, endOf, keyOfCursor, unitMark } from "./subscriptions/event-key.js";
import { hasEnded as hasEndedBy, LastStatus } from "./subscriptions/message-watches.js";

/** Starting point of a subscription. */
type FeedStart = Start & {
  /** Whether it starts in the past, so that the client waits to catch up. */
  readonly isPast: boolean;
  /** The block above which the client must discard all events. */
  readonly revertedTo?: UnitName | undefined;
  /** Number of past blocks to read. */
  readonly history: number;
  /** The last message status sent to the client. */
  readonly lastStatus?: LastStatus | undefined;
  /** Whether the subscription can receive nothing more. */
  readonly hasEnded: boolean;
};

type Asked = {
  from?: SubscriptionFrom | undefined;
  to?: number | undefined;
  /** The requested message: its current status is sent, so no past blocks are read. */
  message?: Uint8Array | undefined;
  /** The only requested trace. */
  trace?: Uint8Array | undefined;
  /** The parameter that contains the cursor, named in refusals. */
  cursorParam?: string;
};

/** How long to wait for the index to reach a cursor ahead of it. */
const aheadMs = 10_000;

/** Throws `unavailable`, `cursor-too-old` and `invalid-params`. */
export async function startOf(hub: Hub, asked: Asked): Promise<FeedStart> {
  for (;;) {
    const { count } = hub.reverts;
    const start = await lookUpStart(hub, asked);
    // The hub reports reverts only to existing subscriptions, so look up the start again.
    if (hub.reverts.count === count) return start;
  }
}

async function lookUpStart(hub: Hub, asked: Asked): Promise<FeedStart> {
  const head = hub.head;
  if (!head) throw new ServiceError("unavailable", "The streams are starting");
  const { from, trace, message, cursorParam = "from" } = asked;
  const begin = from ? await placeOf(hub, from, cursorParam) : { after: endOf(head), next: head.seqno + 1 };
  if (message) {
    const { lastStatus, hasEnded } = lastStatusOf(hub, message, from);
    return {
      ...{ after: endOf(head), next: head.seqno + 1, isPast: false, history: 0 },
      // An ended subscription receives no revert, whenever its client learns of the end.
      revertedTo: hasEnded ? undefined : begin.revertedTo,
      ...(asked.to !== undefined && { to: asked.to }),
      ...{ lastStatus, hasEnded },
    };
  }
  const end = trace && (await hub.read((queries) => endOfTrace(queries, trace)));
  const to = least(asked.to, end);
  // A trace that is already complete is sent again, unless the client resumes from a cursor.
  const next = end !== undefined && !from ? Math.min(begin.next, end) : begin.next;
  const known = next === begin.next ? begin.after : undefined;
  const after = known ?? (await hub.read((queries) => behind(queries, next)));
  return {
    after,
    next,
    ...(to !== undefined && { to }),
    revertedTo: begin.revertedTo,
    isPast: from !== undefined,
    history: Math.max(0, Math.min(head.seqno, to ?? head.seqno) - next),
    hasEnded: to !== undefined && compareKeys(after, endOf({ seqno: to, rootHash: noHash })) >= 0,
  };
}

/** The last status in the client's cursor, and whether it was the final one. */
function lastStatusOf(hub: Hub, message: Uint8Array, from: SubscriptionFrom | undefined) {
  const key = from && "cursor" in from ? keyOfCursor(from.cursor, hub.chain) : undefined;
  const lastStatus = key && LastStatus.in(key.id);
  return { lastStatus, hasEnded: hasEndedBy({ hash: message, lastStatus }) };
}

const noHash = new Uint8Array(32);

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}

type Begin = { next: number; after?: EventKey | undefined; revertedTo?: UnitName };

function placeOf(hub: Hub, from: SubscriptionFrom, cursorParam: string): Promise<Begin> {
  if ("cursor" in from) return placeOfCursor(hub, from.cursor, cursorParam);
  return hub.read(async (queries) => {
    const range = await unitRange(queries);
    if (!range) throw new ServiceError("unavailable", "The streams are starting");
    if ("mc_seqno" in from) {
      if (from.mc_seqno < range.first && range.first > 1) throw tooOld(range.first);
      return { next: Math.min(Math.max(from.mc_seqno, range.first), (hub.seqno ?? range.last) + 1) };
    }
    const found = await firstUnit(queries, ({ genUtime, endLt }) =>
      "lt" in from ? endLt >= from.lt : genUtime >= BigInt(from.utime),
    );
    return { next: Math.min(found?.seqno ?? range.last + 1, (hub.seqno ?? range.last) + 1) };
  });
}

async function placeOfCursor(hub: Hub, cursor: string, param: string): Promise<Begin> {
  const key = keyOfCursor(cursor, hub.chain);
  if (!key) {
    const text = `${param} contains no cursor of this chain`;
    throw new ServiceError("invalid-params", text, { data: { param } });
  }
  const known = key.unit === undefined ? undefined : hub.reverts.baseOf(key.seqno, key.unit);
  if (known && !(await isMadeAgain(hub, key)))
    return { next: known.seqno + 1, after: endOf(known), revertedTo: known };
  if (!(await hub.reaches(key.seqno, aheadMs)))
    throw new ServiceError("unavailable", "the cursor is ahead of the index");
  return hub.read(async (queries) => {
    const [unit] = await unitsAmong(queries, [key.seqno]);
    const range = await unitRange(queries);
    const isBeforeFirst = range !== undefined && compareKeys(key, behindAll(range.first - 1)) >= 0;
    if (range && isBeforeFirst && key.seqno < range.first) return { next: range.first, after: key };
    if (!range || key.seqno < range.first) throw tooOld(range?.first);
    // A missing block was reverted; the hub will notice and report it.
    if (!unit || key.unit === undefined || key.unit === unitMark(unit))
      return { next: key.seqno, after: key };
    // Fork point unknown: restart from the range's beginning.
    const base = { ...unit, seqno: range.first - 1, rootHash: noHash };
    return { next: range.first, after: endOf(base), revertedTo: base };
  });
}

/** Whether a reverted block exists again: a devnet makes the same block from the same content. */
function isMadeAgain(hub: Hub, { seqno, unit: mark }: EventKey): Promise<boolean> {
  return hub.read(async (queries) => {
    const [unit] = await unitsAmong(queries, [seqno]);
    return unit !== undefined && unitMark(unit) === mark;
  });
}

function tooOld(first: number | undefined): ServiceError {
  return new ServiceError("cursor-too-old", undefined, {
    data: first === undefined ? {} : { first },
  });
}

/** The position before the events of a block. */
async function behind(queries: Queries, next: number): Promise<EventKey> {
  const [before] = await unitsAmong(queries, [next - 1]);
  return before ? endOf(before) : behindAll(next - 1);
}

/** The position after all events of a block that is not stored. */
function behindAll(seqno: number): EventKey {
  const { unit: _, ...key } = endOf({ seqno, rootHash: noHash });
  return key;
}

/**
 * The block with whose events a completed trace is sent; `undefined` before. `name`: trace id or hash of its external
 * message.
 */
async function endOfTrace(queries: Queries, name: Uint8Array): Promise<number | undefined> {
  const page = { limit: 1, offset: 0, sort: "desc" } as const;
  const [byId] = await listTraces(queries, { trace_id: [name] }, page);
  const [row] = byId ? [byId] : await listTraces(queries, { msg_hash: [name] }, page);
  if (row?.trace_state !== "complete") return undefined;
  const late = await blockOfLateTrace(queries, bytesOfBase64(row.trace_id));
  return late === undefined ? Number(row.mc_seqno_end) : (late ?? undefined);
}
