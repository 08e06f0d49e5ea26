import { csvCell } from "../../../shared/text/csv-cell.js";
import { utcDay } from "../../../shared/values/utc-text.js";
import { ServiceError } from "../../errors.js";

/** Calls and points of a key. */
export type Counts = {
  /** Calls that were begun, and streams that were opened. */
  calls: number;
  /** Points of the rate limit, with those that were owed. */
  points: number;
  /** Points that the rate limit refused, and calls that the key's rules or its quota refused. */
  refused: number;
};

/** The counts of a key in a day. `day`: `YYYY-MM-DD`, UTC, as in all of usage. */
export type UsageRow = { readonly day: string; readonly key: string } & Readonly<Counts>;

/** Days from one to another, both included; of one key, or of all. */
export type UsageRange = { readonly from: string; readonly to: string; readonly key?: string | undefined };

/** Calls and points of a key in a month. */
export type MonthTotal = { readonly key: string; readonly calls: number; readonly points: number };

/** The days of all keys, which outlive processes. A key is named by the first of those that replaced one another. */
export interface UsageStore {
  /** Adds to what keys used in a day. Nothing is added if it rejects. */
  add(day: string, rows: readonly UsageRow[]): Promise<void>;
  /** Totals of a month (`YYYY-MM`), of the named keys or of all that have used something. */
  totals(month: string, keys?: readonly string[]): Promise<readonly MonthTotal[]>;
  /** The earliest day first, its keys in the order of their names; at most `limit` rows. */
  read(range: UsageRange, limit: number): Promise<readonly UsageRow[]>;
  close(): Promise<void>;
}

/** Days that are stored; earlier ones are removed. */
const keptDays = 400;
/** Rows of one answer. */
const maxRows = 100_000;

export const dayMs = 86_400_000;

export function monthOf(day: string): string {
  return day.slice(0, 7);
}

/** The begin of the month after that of a moment, ms. */
export function nextMonthAfter(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** The first day that is not removed yet. */
export function firstKeptDay(today: string): string {
  return utcDay(Date.parse(today) - (keptDays - 1) * dayMs);
}

export function noCounts(): Counts {
  return { calls: 0, points: 0, refused: 0 };
}

export function addCounts(to: Counts, { calls = 0, points = 0, refused = 0 }: Partial<Counts>): void {
  to.calls += calls;
  to.points += points;
  to.refused += refused;
}

/** The counts of a key, which begin with none. */
export function countsOf(all: Map<string, Counts>, key: string): Counts {
  const known = all.get(key);
  if (known) return known;
  const made = noCounts();
  all.set(key, made);
  return made;
}

/** Reads days by store, up to `maxRows`. Throws `invalid-params` if there are more. */
export async function readUsage(
  store: Pick<UsageStore, "read">,
  range: UsageRange,
): Promise<readonly UsageRow[]> {
  const rows = await store.read(range, maxRows + 1);
  if (rows.length > maxRows)
    throw new ServiceError("invalid-params", `more than ${maxRows} rows: name a key or fewer days`);
  return rows;
}

const dayPattern = /^\d{4}-\d\d-\d\d$/;

/** Reads a range of days; by default this month. Throws `invalid-params`. */
export function rangeOf(
  asked: { from?: string | undefined; to?: string | undefined; key?: string | undefined },
  now: number,
): UsageRange {
  const today = utcDay(now);
  const { to = today, from = `${monthOf(to)}-01`, key } = asked;
  for (const [name, day] of Object.entries({ from, to }))
    if (!dayPattern.test(day) || Number.isNaN(Date.parse(day)) || utcDay(Date.parse(day)) !== day)
      throw invalidRange(name, `${name} is not a day: write it as ${today}`);
  if (from > to) throw invalidRange("from", "from is after to");
  if (daysOf({ from, to }) >= keptDays)
    throw invalidRange("from", `more than ${keptDays} days: name a later from or an earlier to`);
  return { from, to, ...(key !== undefined && { key }) };
}

/** The number of days, without the first. */
export function daysOf({ from, to }: UsageRange): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs;
}

function invalidRange(param: string, text: string): ServiceError {
  return new ServiceError("invalid-params", text, { data: { param } });
}

/** Rows as CSV with a head. */
export function usageCsv(rows: readonly UsageRow[]): string {
  const lines = rows.map(({ day, key, calls, points, refused }) =>
    [day, csvCell(key), calls, points, refused].join(),
  );
  return `${["day,key,calls,points,refused", ...lines].join("\r\n")}\r\n`;
}
