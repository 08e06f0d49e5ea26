import SQL, { raw } from "sql-template-tag";
import { byAccount, byHash, byOpcodeOf, byPair, type Found } from "../../sql/keys.js";

/** The filters that indexes find messages by. */
const filters = ["source", "destination", "opcode", "body_hash"] as const;
export type IndexedFilter = (typeof filters)[number];
type Values = { readonly [Name in IndexedFilter]?: unknown };

/** The indexes of messages by the filters that they have, in the order in which they are preferred. */
const indexes = [
  "source destination",
  "source opcode",
  "destination opcode",
  "source",
  "destination",
  "body_hash",
  "opcode",
] as const;
export type MessageIndex = (typeof indexes)[number];

/** These filters, as far as they are given. */
export function indexedFilters(filter: Values): IndexedFilter[] {
  return filters.filter((name) => filter[name] !== undefined);
}

/** The index of messages that has most of the filters that are given. */
export function indexOf(filter: Values): MessageIndex | undefined {
  const given: readonly string[] = indexedFilters(filter);
  return indexes.find((index) => index.split(" ").every((name) => given.includes(name)));
}

/** The filters that an index does not have. */
export function filtersBeside(index: string | undefined, given: readonly IndexedFilter[]): IndexedFilter[] {
  return given.filter((name) => !index?.split(" ").includes(name));
}

/** How an index finds rows by these values. `row`: the name of the rows, with a dot. */
export function foundByMessages(index: MessageIndex, given: Values, row = ""): Found {
  const [one, other] = index.split(" ") as [IndexedFilter, IndexedFilter?];
  const [column, value] = [row + one, SQL`${given[one]}`];
  if (other) {
    const pair = [[column, row + other] as const, [value, SQL`${given[other]}`] as const] as const;
    return other === "opcode" ? byOpcodeOf(...pair) : byPair(...pair);
  }
  if (one === "opcode") return { keys: [column], values: [value], also: SQL`${raw(column)} is not null` };
  return one === "body_hash" ? byHash(column, value) : byAccount(column, value);
}
