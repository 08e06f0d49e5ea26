import fc from "fast-check";
import { expect } from "vitest";
import type { Address } from "../../../shared/values/address.js";
import { compareBytes } from "../../../shared/values/bytes.js";
import { sized } from "../effort.js";
import { pagesByCursor } from "../http/by-cursor.js";
import type { IndexApp } from "../http/index-app.js";
import { difference, inOrder } from "./naive-lists.js";
import { accountOf, bytesOf } from "./rows.js";
import { rawOf } from "./sample-index.js";

// Lists by any filter, page by page, against what a scan of all rows finds.

export const filterRuns = sized(6, 60);

export const optional = <T>(value: fc.Arbitrary<T>, freq = 2) => fc.option(value, { nil: undefined, freq });
const stranger = accountOf("?");
/** One of the accounts, or one that is in no row. */
export const oneOf = (accounts: readonly Address[]) => fc.constantFrom(...accounts, stranger);
export const several = (accounts: readonly Address[]) =>
  fc.array(oneOf(accounts), { minLength: 1, maxLength: 3 });
export const someOf = (accounts: readonly Address[], freq = 2) => optional(several(accounts), freq);
export const sorting = optional(fc.constantFrom("asc" as const, "desc" as const));
export const pageSize = { limit: fc.integer({ min: sized(5, 1), max: 40 }) };

type Key = Uint8Array | undefined;

export const is = (account: Address | undefined, key: Key) =>
  account === undefined || (key !== undefined && compareBytes(bytesOf(account), key) === 0);
/** Without accounts every key is. */
export const isIn = (accounts: readonly Address[] | undefined, key: Key) =>
  accounts === undefined || accounts.some((account) => is(account, key));

export const alive = <Row extends { destroyed: boolean }>(rows: readonly Row[]) =>
  rows.filter(({ destroyed }) => !destroyed);
export const addressesOf = (rows: readonly { address: Uint8Array }[]) =>
  rows.map(({ address }) => rawOf(address));
export const byAddress = (a: { address: Uint8Array }, b: { address: Uint8Array }) =>
  compareBytes(a.address, b.address);
export const byAge = <Row extends { address: Uint8Array; first_seen_lt?: bigint | undefined }>(
  rows: readonly Row[],
) => rows.toSorted((a, b) => inOrder("asc", difference(a.first_seen_lt!, b.first_seen_lt!), byAddress(a, b)));

/** A list by its path: its filters, and the names of the rows that it should have. */
type List<Filter> = {
  path: string;
  filters: fc.Arbitrary<Filter & { limit: number }>;
  expected: (filter: Filter) => string[];
};

/** A list whose filter is checked against its own arbitrary. */
export const list = <Filter>(
  path: string,
  filters: List<Filter>["filters"],
  expected: List<Filter>["expected"],
) => ({ path, filters, expected }) as unknown as List<object>;

/** The query of a filter, addresses in their raw form. */
export function queryOf(filter: object): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined) query.append(name, String(each));
  return query;
}

/** Reads all pages of a list for many filters. `rowsOf` takes the names of the rows out of an answer. */
export async function expectWholeLists<Answer>(
  app: IndexApp,
  list: List<object>,
  rowsOf: (answer: Answer) => string[],
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(list.filters, (filter) => expectWholeList(app, list, filter, rowsOf)),
    { numRuns: filterRuns },
  );
}

/** Reads all pages of a list, by offset and by cursor. */
export async function expectWholeList<Answer, Filter>(
  app: IndexApp,
  { path, expected }: Pick<List<Filter>, "path" | "expected">,
  filter: Filter & { limit: number },
  rowsOf: (answer: Answer) => string[],
): Promise<void> {
  const found: string[] = [];
  for (let last = filter.limit; last === filter.limit; ) {
    const query = queryOf({ ...filter, offset: found.length });
    const rows = rowsOf(await app.result<Answer>(`${path}?${query}`));
    found.push(...rows);
    last = rows.length;
  }
  expect(found).toEqual(expected(filter));
  const byCursor: string[] = [];
  for await (const page of pagesByCursor<Answer>(app, path, queryOf(filter))) byCursor.push(...rowsOf(page));
  expect(byCursor).toEqual(found);
}
