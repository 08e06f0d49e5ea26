import SQL, { join, raw } from "sql-template-tag";
import { hexToBytes } from "../../../shared/values/bytes.js";
import type { KeyValue } from "../../../shared/values/list-cursor.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { ServiceError } from "../../errors.js";
import { all, compared, type Direction, type Fragment, largestBigint, type Page } from "./where.js";

/** The type of a column of a sort key. */
export type KeyType = "integer" | "bigint" | "numeric" | "hash" | "account" | "text";

/** A column of the order of a list. */
type KeyColumn = readonly [sql: string, type: KeyType, direction: Direction];

/** A total order: no two rows have the same key. */
export type KeyOrder = readonly KeyColumn[];

/** The ORDER BY list. */
export function inOrder(order: KeyOrder): Fragment {
  return raw(order.map(([sql, , direction]) => `${sql} ${direction}`).join(", "));
}

/** The condition that rows are behind the cursor of a page; `undefined` at the beginning of a list. */
export function behindCursor(order: KeyOrder, { cursor }: Page): Fragment | undefined {
  return behindKey(order, cursor?.after);
}

/** The same for a key of the order. */
function behindKey(order: KeyOrder, after: readonly KeyValue[] | undefined): Fragment | undefined {
  const branches = branchesBehind(order, after);
  if (!after || branches.length <= 1) return branches[0];
  const [first = []] = runsOf(order);
  const values = after.slice(0, first.length);
  // The columns of one direction bound a search; among rows that have equal ones the others decide.
  return SQL`${runCondition(first, values, "upTo")} and (${join(branches, " or ")})`;
}

/**
 * The same as conditions that exclude each other. An index that has the rows in order is searched by each of them from its
 * first row on, also among any number of rows that differ in the last columns only. Empty at the beginning of a list.
 */
export function branchesBehind(order: KeyOrder, after: readonly KeyValue[] | undefined): Fragment[] {
  const values = keyAfter(order, after);
  if (!values) return [];
  const equal: Fragment[] = [];
  let at = 0;
  const branches = runsOf(order).map((run) => {
    const own = values.slice(at, at + run.length);
    at += run.length;
    const branch = all(...equal, runCondition(run, own, "behind"));
    equal.push(...run.map(([sql], place) => SQL`${raw(sql)} = ${itemAt(own, place)}`));
    return branch;
  });
  // Conditions with the most equal columns come first in the list.
  return branches.reverse();
}

function runCondition(run: KeyOrder, values: readonly KeyValue[], side: "behind" | "upTo"): Fragment {
  const [, , direction] = itemAt(run, 0);
  // Rows up to a key of the order begin with it, if the order is turned.
  const turned = direction === "asc" ? "desc" : "asc";
  const columns = run.map(([sql]) => sql);
  return side === "behind"
    ? compared(direction, "behind", columns, values)
    : compared(turned, "upTo", columns, values);
}

/** Neighbouring columns of one direction, which are compared together. */
function runsOf(order: KeyOrder): KeyOrder[] {
  const runs: KeyColumn[][] = [];
  for (const column of order) {
    const last = runs.at(-1);
    if (last && itemAt(last, 0)[2] === column[2]) last.push(column);
    else runs.push([column]);
  }
  return runs;
}

/** The key of a cursor, if there is one. Throws if a column of the list cannot have its value. */
export function keyAfter(
  order: readonly (readonly [name: string, type: KeyType, ...unknown[]])[],
  after: readonly KeyValue[] | undefined,
): readonly KeyValue[] | undefined {
  if (!after) return undefined;
  if (after.length !== order.length || !order.every(([, type], place) => fits(type, itemAt(after, place))))
    throw new ServiceError("invalid-params", "cursor has no place in this list: begin with cursor=start");
  return after;
}

const maxInteger = 2n ** 31n - 1n;
/** Larger than any amount. */
const maxNumeric = 2n ** 256n;
/** How long the values of types of bytes are. */
export const bytesOf: Partial<Record<KeyType, number>> = { hash: 32, account: 33 };

function fits(type: KeyType, value: KeyValue): boolean {
  if (type === "text") return typeof value === "string" && !value.includes("\0");
  if (type === "hash" || type === "account")
    return value instanceof Uint8Array && value.length === bytesOf[type];
  const most = { integer: maxInteger, bigint: largestBigint, numeric: maxNumeric }[type];
  return typeof value === "bigint" && value <= most && value >= -most - 1n;
}

/** Notes in the cursor of a page where the next one begins, if this one is full. */
export function noteLast<Row>(
  { cursor, limit }: Page,
  rows: readonly Row[],
  keyOf: (last: Row) => readonly KeyValue[],
): void {
  if (cursor && rows.length === limit) cursor.next = keyOf(itemAt(rows, -1));
}

/** The value of a member of a row in a key. */
export function keyValue(value: unknown): KeyValue {
  return typeof value === "number" ? BigInt(value) : (value as KeyValue);
}

/** The key of a row as JSON text. */
export function keyText(order: KeyOrder): Fragment {
  const texts = order.map(([sql, type]) => (type in bytesOf ? `encode(${sql}, 'hex')` : `(${sql})::text`));
  return raw(`json_build_array(${texts.join(", ")})::text`);
}

/** A key from the text that `keyText` selects. */
export function keyOfText(order: KeyOrder, text: string): KeyValue[] {
  const texts = JSON.parse(text) as string[];
  return order.map(([, type], place) => {
    const value = itemAt(texts, place);
    if (type === "text") return value;
    return type in bytesOf ? hexToBytes(value)! : BigInt(value);
  });
}
