import SQL, { join, raw } from "sql-template-tag";
import { itemAt } from "../../../../shared/values/lookups.js";
import type { Queries } from "../../database.js";
import { type Direction, type Fragment, largestBigint, type TimeBounds } from "../../sql/where.js";
import { type CountedSlot, type KnownSlot, readSlots, type Slot } from "./slots.js";

/** Sort key of a list: the lt of transactions, the lt of messages, or unix times. Slots have bounds of masterchain blocks too. */
export type Axis = "lt" | "message_lt" | "utime" | "mc_seqno";

/** Bounds of a list on its axis, inclusive. */
export type Bounds = { from?: bigint | undefined; to?: bigint | undefined };

/** Bounds of times on their axis. */
export function timesOf({ start_utime, end_utime }: TimeBounds): Bounds & { axis: "utime" } {
  const toBigint = (value: number | undefined) => (value === undefined ? undefined : BigInt(value));
  return { axis: "utime", from: toBigint(start_utime), to: toBigint(end_utime) };
}

/**
 * The part of a list that is in some slots, those first that come first in it. The other slots have nothing before `rest`;
 * `undefined` if there are no others.
 */
export type Window<S extends Slot = KnownSlot> = {
  readonly slots: readonly S[];
  readonly rest: bigint | undefined;
  /** Whether no more slots are searched for a page, though others may have more of the list. */
  readonly isEnd?: boolean;
};

/** How many slots the windows have, one after the other. The first slot of an index may have just been begun. */
const sizes = [2, 8, 32];

/** So many rows are looked at for a page, if an index does not have exactly the rows of the list. */
const mostLooked = 300;
/** So many slots are searched if it is not known how many rows they have. */
const mostUncounted = 32;

/** How many rows of each slot are looked at. The more slots there are, the fewer rows they have as a rule. */
export function lookedAt(slots: readonly KnownSlot[]): number {
  const areCounted = slots.every(({ n }) => n !== undefined);
  return areCounted ? mostLooked : Math.ceil(mostLooked / Math.sqrt(2 * slots.length));
}

export type WindowOptions = {
  /** How many rows a window must have, as far as that is known. */
  rows?: number;
  /** Whether the list has all rows that are counted, so that slots with enough of them have the page. */
  isExact?: boolean;
  /** Whether a page is full before slots are searched that it has nothing of: see `PageForm`. More slots then cost no more. */
  areApart?: boolean;
  /** Whether rows are looked at one by one: then only so many slots are searched as have about as many of them. */
  isBounded?: boolean;
};

/** Windows onto a list, each with the slots of the one before. None if nothing in the slots is within the bounds. */
export function windowsOf<S extends KnownSlot>(
  slots: readonly S[],
  sort: Direction,
  bounds: Bounds & { axis: Axis },
  { rows = 0, isExact = false, areApart = false, isBounded = false }: WindowOptions = {},
): Window<S>[] {
  const spans = spansWithin(slots, bounds);
  const isDescending = sort === "desc";
  spans.sort((a, b) => (isDescending ? compare(b.last, a.last) : compare(a.first, b.first)));
  const end = isBounded ? endOf(spans, sort, bounds, rows) : spans.length;
  const least = countWithin(spans, rows, rows);
  const window = (size: number): Window<S> => {
    const next = spans[size];
    return {
      slots: spans.slice(0, size).map(({ slot }) => slot),
      // Sorted by it, so the next one is the nearest.
      rest: next && (isDescending ? next.last : next.first),
    };
  };
  if (isExact) return spans.length === 0 ? [] : [{ ...window(least), rest: undefined }];
  const windows = sizes
    .slice(areApart ? 1 : 0)
    .filter((size) => size >= least && size < end)
    .map(window);
  return spans.length === 0 ? [] : [...windows, { ...window(end), isEnd: end < spans.length }];
}

/**
 * How many slots are searched for a page if rows are looked at one by one: those with as many as may be, and more while the
 * next one begins where the list does, so that a page that ends before it gets the list on.
 */
function endOf(
  spans: readonly { slot: KnownSlot; first: bigint; last: bigint }[],
  sort: Direction,
  { from, to }: Bounds,
  rows: number,
): number {
  const [start] = spans;
  const isBehindStart = ({ first, last }: { first: bigint; last: bigint }) =>
    start === undefined ||
    (sort === "desc" ? last + 1n < (to ?? start.last + 1n) : first - 1n > (from ?? start.first - 1n));
  const end = countWithin(spans, Math.max(mostLooked, rows), mostLooked / mostUncounted);
  const next = spans.findIndex((span, at) => at >= end && isBehindStart(span));
  return next < 0 ? spans.length : next;
}

/** How many slots have so many rows, the last one included, if each that is not known has `unknown`. */
function countWithin(spans: readonly { slot: KnownSlot }[], rows: number, unknown: number): number {
  let sum = 0;
  const at = spans.findIndex(({ slot }) => {
    sum += slot.n === undefined ? unknown : Number(slot.n);
    return sum >= rows;
  });
  return at < 0 ? spans.length : at + 1;
}

/** The slots that may have something within bounds of lt and of times. */
export async function slotsBetween(queries: Queries, bounds: TimeBounds): Promise<Slot[]> {
  const lts = { axis: "lt", from: bounds.start_lt, to: bounds.end_lt } as const;
  return slotsWithin(slotsWithin(await readSlots(queries), lts), timesOf(bounds));
}

/** The slots that have something within bounds. */
export function slotsWithin(slots: readonly Slot[], bounds: Bounds & { axis: Axis }): Slot[] {
  return spansWithin(slots, bounds).map(({ slot }) => slot);
}

function spansWithin<S extends Slot>(
  slots: readonly S[],
  { axis, from, to }: Bounds & { axis: Axis },
): { slot: S; first: bigint; last: bigint }[] {
  return slots.flatMap((slot) => {
    const { first, last } = spanOf(slot, axis);
    if (first === null || last === null) return [];
    if ((from !== undefined && last < from) || (to !== undefined && first > to)) return [];
    return [{ slot, first, last }];
  });
}

/** The slots that a list has at an offset and behind it, and how many rows it has in the slots before them. */
export function slotsBehind(
  counted: readonly CountedSlot[],
  sort: Direction,
  offset: number,
): { slots: readonly Slot[]; rank: number } {
  const inOrder = [...counted].sort((a, b) =>
    sort === "desc" ? compare(b.from_lt, a.from_lt) : compare(a.from_lt, b.from_lt),
  );
  let rank = 0n;
  const first = inOrder.findIndex(({ n }) => {
    if (rank + n > BigInt(offset)) return true;
    rank += n;
    return false;
  });
  return { slots: first < 0 ? [] : inOrder.slice(first), rank: Number(rank) };
}

/** The bounds of what is at a place of a list, or behind it. */
export function behind<B extends Bounds>(bounds: B, sort: Direction, place: bigint | undefined): B {
  if (place === undefined) return bounds;
  const { from, to } = bounds;
  return sort === "desc"
    ? { ...bounds, to: to === undefined || place < to ? place : to }
    : { ...bounds, from: from === undefined || place > from ? place : from };
}

function spanOf(slot: Slot, axis: Axis): { first: bigint | null; last: bigint | null } {
  if (axis === "lt") return { first: slot.from_lt, last: slot.to_lt - 1n };
  if (axis === "message_lt") return { first: slot.first_lt, last: slot.last_lt };
  if (axis === "utime") return { first: slot.first_utime, last: slot.last_utime };
  const { first_mc_seqno: first, last_mc_seqno: last } = slot;
  return { first: first === null ? null : BigInt(first), last: last === null ? null : BigInt(last) };
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether a page that ends with a key at `last` has nothing behind the window before it. */
export function isBefore(rest: bigint, last: bigint, sort: Direction): boolean {
  return sort === "desc" ? last > rest : last < rest;
}

/** A condition has at most so many ranges, so that there are few texts; a range may span slots that are not wanted. */
const maxRanges = 4;

/** The condition that a column is in the slots. The planner then leaves the other partitions out. */
export function inSlots(column: string, slots: readonly Pick<Slot, "from_lt" | "to_lt">[]): Fragment {
  const ranges = rangesOf(slots).map(({ from, to }) =>
    to > largestBigint
      ? SQL`${raw(column)} >= ${from}`
      : SQL`${raw(column)} >= ${from} and ${raw(column)} < ${to}`,
  );
  return ranges.length === 1 ? itemAt(ranges, 0) : SQL`(${join(ranges, " or ")})`;
}

type Range = { from: bigint; to: bigint };

function rangesOf(slots: readonly Pick<Slot, "from_lt" | "to_lt">[]): Range[] {
  const ranges: Range[] = [];
  for (const { from_lt: from, to_lt: to } of [...slots].sort((a, b) => compare(a.from_lt, b.from_lt))) {
    const last = ranges.at(-1);
    if (last?.to === from) last.to = to;
    else ranges.push({ from, to });
  }
  while (ranges.length > maxRanges) {
    const gaps = ranges.slice(1).map(({ from }, i) => from - itemAt(ranges, i).to);
    const at = gaps.indexOf(gaps.reduce((a, b) => (b < a ? b : a)));
    ranges.splice(at, 2, { from: itemAt(ranges, at).from, to: itemAt(ranges, at + 1).to });
  }
  return ranges;
}
