import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sized } from "../helpers/effort.js";
import { pagesByCursor } from "../helpers/http/by-cursor.js";
import { indexOfSuite } from "../helpers/http/index-of-suite.js";
import { databaseKinds } from "../helpers/store/databases.js";
import { laggingIndex } from "../helpers/store/lagging-index.js";
import { naiveMessages, naiveTransactions } from "../helpers/store/naive-lists.js";
import { hashOf, storeRows } from "../helpers/store/rows.js";
import {
  rawOf,
  sampleAccounts,
  sampleBodies,
  sampleIndex,
  sampleOpcodes,
} from "../helpers/store/sample-index.js";

const indexes = [
  ["much is equal", sampleIndex()],
  ["shards lag", laggingIndex()],
] as const;
const runs = sized(8, 60);

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const account = fc.constantFrom(...sampleAccounts);
const accounts = optional(fc.array(account, { minLength: 1, maxLength: 3 }));
const time = fc.integer({ min: 95, max: 135 });
const lt = fc.bigInt(0n, 65n);
const sort = fc.constantFrom("asc" as const, "desc" as const);
const opcode = fc.constantFrom(...sampleOpcodes.filter((value) => value !== undefined));
const messageHashes = fc.array(
  fc.integer({ min: 0, max: 179 }).map((i) => hashOf(i % 13 === 0 ? `norm ${i}` : `message ${i}`)),
  { minLength: 1, maxLength: 6 },
);
const page = { limit: fc.integer({ min: 1, max: 40 }), sort };
const windows = {
  start_utime: optional(time),
  end_utime: optional(time),
  start_lt: optional(lt),
  end_lt: optional(lt),
};

/** The query of a filter, each value in the form of its parameter. */
function queryOf(filter: object): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) query.append(name, textOf(name, each));
    }
  }
  return query;
}

function textOf(name: string, value: unknown): string {
  if (name === "opcode") return `0x${(value as number).toString(16)}`;
  return value instanceof Uint8Array ? base64(value) : String(value);
}

const kinds = databaseKinds.flatMap(([name, open]) =>
  indexes.map(([what, index]) => [`${name}, where ${what}`, open, index] as const),
);

describe.each(kinds)("any filter on %s", (_, open, index) => {
  const suite = indexOfSuite(open, (database) => storeRows(database, index));

  /** All rows, page by page until one is short; by cursors they are the same. */
  async function walk<T>(path: string, member: string, filter: { limit: number }): Promise<T[]> {
    const rows: T[] = [];
    for (let last = filter.limit; last === filter.limit; ) {
      const query = queryOf({ ...filter, offset: rows.length });
      const found = (await suite.app.result<Record<string, T[]>>(`${path}?${query}`))[member]!;
      rows.push(...found);
      last = found.length;
    }
    const byCursor: T[] = [];
    for await (const found of pagesByCursor<Record<string, T[]>>(suite.app, path, queryOf(filter)))
      byCursor.push(...found[member]!);
    expect(byCursor).toEqual(rows);
    return rows;
  }

  it("pages through the transactions that match, each once and in order", async () => {
    const filters = fc.record({
      account: accounts,
      exclude_account: accounts,
      workchain: optional(fc.constantFrom(0, -1)),
      shard: optional(fc.constantFrom("8000000000000000", "4000000000000000")),
      seqno: optional(fc.integer({ min: 1, max: 6 })),
      mc_seqno: optional(fc.integer({ min: 1, max: 6 })),
      lt: fc
        .option(lt, { nil: undefined, freq: 1 })
        .filter((value) => value === undefined || value % 3n === 0n),
      ...windows,
      msg_hash: optional(messageHashes),
      body_hash: optional(fc.constantFrom(...sampleBodies)),
      opcode: optional(opcode),
      source: fc.option(account, { nil: undefined, freq: 1 }),
      destination: fc.option(account, { nil: undefined, freq: 1 }),
      ...page,
    });
    await fc.assert(
      fc.asyncProperty(filters, fc.constantFrom(undefined, "in", "out"), async (filter, side) => {
        const direction = filter.msg_hash || filter.opcode !== undefined ? side : undefined;
        const asked = { ...filter, direction };
        const found = await walk<{ account: string; lt: string }>("transactions", "transactions", asked);
        const wanted = naiveTransactions(index, asked);
        expect(found.map((row) => `${row.account} ${row.lt}`)).toEqual(
          wanted.map((row) => `${rawOf(row.account)} ${row.lt}`),
        );
      }),
      { numRuns: runs },
    );
  });

  it("pages through the messages that match, each once and in order", async () => {
    const filters = fc.record({
      msg_hash: fc.option(messageHashes, { nil: undefined, freq: 1 }),
      body_hash: optional(fc.constantFrom(...sampleBodies)),
      opcode: optional(opcode),
      source: optional(fc.oneof(account, fc.constant(null))),
      destination: optional(fc.oneof(account, fc.constant(null))),
      direction: optional(fc.constantFrom("in" as const, "out" as const)),
      exclude_externals: optional(fc.boolean()),
      only_externals: fc.option(fc.boolean(), { nil: undefined, freq: 1 }),
      ...windows,
      ...page,
    });
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const found = await walk<{ hash: string }>("messages", "messages", filter);
        expect(found.map(({ hash }) => hash)).toEqual(
          naiveMessages(index, filter).map(({ msg_hash }) => base64(msg_hash)),
        );
      }),
      { numRuns: runs },
    );
  });
});
