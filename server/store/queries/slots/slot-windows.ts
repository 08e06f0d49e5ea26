import SQL, { join, raw } from "sql-template-tag";
import { itemAt } from "../../../../shared/values/lookups.js";
import { type Direction, type Fragment, largestBigint } from "../../where.js";
import type { CountedSlot, Slot } from "./slots.js";

/** Sort key of a list: the lt of transactions, the lt of messages, or unix times. Slots have bounds of masterchain blocks too. */
export type Axis = "lt" | "message_lt" | "utime" | "mc_seqno";

/** Bounds of a list on its axis, inclusive. */
export type Bounds = { from?: bigint | undefined; to?: bigint | undefined };

/**
 * The part of a list that is in some slots, those first that come first in it. The other slots have nothing before `rest`;
 * `undefined` if there are no others.
 */
export type Window<S extends Slot = Slot> = {
  readonly slots: readonly S[];
  readonly rest: bigint | undefined;
};

/** How many slots the windows have, one after the other. The first slot of an index may have just been begun. */
const sizes = [2, 8, 32];

/** Windows onto a list, each with the slots of the one before. None if nothing in the slots is within the bounds. */
export function windowsOf<S extends Slot>(
  slots: readonly S[],
  sort: Direction,
  bounds: Bounds & { axis: Axis },
): Window<S>[] {
  const spans = spansWithin(slots, bounds);
  const isDescending = sort === "desc";
  spans.sort((a, b) => (isDescending ? compare(b.last, a.last) : compare(a.first, b.first)));
  const windows = sizes
    .filter((size) => size < spans.length)
    .map((size) => ({
      slots: spans.slice(0, size).map(({ slot }) => slot),
      // Sorted by it, so the next one is the nearest.
      rest: isDescending ? itemAt(spans, size).last : itemAt(spans, size).first,
    }));
  return spans.length === 0 ? [] : [...windows, { slots: spans.map(({ slot }) => slot), rest: undefined }];
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

/** Whether the condition that a column is in the slots has one range; without slots there is none. */
export function areWithoutGap(slots: readonly Pick<Slot, "from_lt" | "to_lt">[] = []): boolean {
  return rangesOf(slots).length === 1;
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
