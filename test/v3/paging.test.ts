import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MessageRow, TransactionRow } from "../../server/store/tables.js";
import { compareBytes } from "../../shared/values/bytes.js";
import { databaseKinds, type FreshDatabase } from "../helpers/databases.js";
import { type IndexApp, startIndexApp } from "./index-app.js";
import { bytesOf, hashOf, storeRows } from "./rows.js";
import { rawOf, sampleAccounts, sampleBodies, sampleIndex, sampleOpcodes } from "./sample-index.js";

const index = sampleIndex();
const runs = 60;

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

/** A query with every value in the form of the parameter of its name. */
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

const between = (value: number | bigint, from?: number | bigint, to?: number | bigint) =>
  (from === undefined || value >= from) && (to === undefined || value <= to);
const includes = (list: readonly Uint8Array[], bytes: Uint8Array | undefined) =>
  bytes !== undefined && list.some((each) => compareBytes(each, bytes) === 0);
const same = (bytes: Uint8Array | undefined, other: Uint8Array) =>
  bytes !== undefined && compareBytes(bytes, other) === 0;
const inOrder = (sorted: "asc" | "desc", ...differences: readonly number[]) =>
  (differences.find((difference) => difference !== 0) ?? 0) * (sorted === "asc" ? 1 : -1);
const difference = (a: number | bigint, b: number | bigint) => (a < b ? -1 : a > b ? 1 : 0);

describe.each(databaseKinds)("any filter on %s", (_, open) => {
  let fresh: FreshDatabase;
  let app: IndexApp;
  beforeAll(async () => {
    fresh = await open();
    await storeRows(fresh.database, index);
    app = await startIndexApp(fresh.database);
  });
  afterAll(async () => {
    await app.close();
    await fresh.close();
  });

  /** All rows, page after page until one is short. */
  async function walk<T>(path: string, member: string, filter: { limit: number }): Promise<T[]> {
    const rows: T[] = [];
    for (let last = filter.limit; last === filter.limit; ) {
      const query = queryOf({ ...filter, offset: rows.length });
      const found = (await app.result<Record<string, T[]>>(`${path}?${query}`))[member]!;
      rows.push(...found);
      last = found.length;
    }
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
        const wanted = index.transactions
          .filter((row) => matches(row, asked))
          .sort((a, b) =>
            inOrder(
              filter.sort,
              (filter.start_utime ?? filter.end_utime) ? difference(a.now, b.now) : 0,
              difference(a.lt, b.lt),
              compareBytes(a.account, b.account),
            ),
          );
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
        expect(found.map(({ hash }) => hash)).toEqual(naiveMessages(filter).map(base64));
      }),
      { numRuns: runs },
    );
  });
});

type TransactionFilter = {
  account?: typeof sampleAccounts | undefined;
  exclude_account?: typeof sampleAccounts | undefined;
  workchain?: number | undefined;
  shard?: string | undefined;
  seqno?: number | undefined;
  mc_seqno?: number | undefined;
  lt?: bigint | undefined;
  direction?: string | undefined;
} & Windows &
  MessageMatch;
type Windows = {
  start_utime?: number | undefined;
  end_utime?: number | undefined;
  start_lt?: bigint | undefined;
  end_lt?: bigint | undefined;
};
type MessageMatch = {
  msg_hash?: Uint8Array[] | undefined;
  body_hash?: Uint8Array | undefined;
  opcode?: number | undefined;
  source?: (typeof sampleAccounts)[number] | null | undefined;
  destination?: (typeof sampleAccounts)[number] | null | undefined;
  direction?: string | undefined;
};

function matches(row: TransactionRow, filter: TransactionFilter): boolean {
  const { account: wanted, exclude_account: unwanted } = filter;
  const shard = filter.shard && BigInt.asIntN(64, BigInt(`0x${filter.shard}`));
  return (
    (!wanted || includes(wanted.map(bytesOf), row.account)) &&
    (!unwanted || !includes(unwanted.map(bytesOf), row.account)) &&
    (filter.workchain === undefined || row.block_workchain === filter.workchain) &&
    (shard === undefined || row.block_shard === shard) &&
    (filter.seqno === undefined || row.block_seqno === filter.seqno) &&
    (filter.mc_seqno === undefined || row.mc_block_seqno === filter.mc_seqno) &&
    (filter.lt === undefined || row.lt === filter.lt) &&
    between(row.now, filter.start_utime, filter.end_utime) &&
    between(row.lt, filter.start_lt, filter.end_lt) &&
    (!asksForMessage(filter) ||
      index.messages.some((message) => same(row.hash, message.tx_hash) && messageMatches(message, filter)))
  );
}

function asksForMessage({ msg_hash, body_hash, opcode, source, destination }: MessageMatch): boolean {
  return [msg_hash, body_hash, opcode, source, destination].some((value) => value !== undefined);
}

function messageMatches(row: MessageRow, filter: MessageMatch): boolean {
  const { msg_hash, body_hash, opcode, source, destination, direction } = filter;
  const isAt = (bytes: Uint8Array | undefined, wanted: typeof source) =>
    wanted === undefined || (wanted === null ? bytes === undefined : same(bytes, bytesOf(wanted)));
  return (
    (!msg_hash || includes(msg_hash, row.msg_hash) || includes(msg_hash, row.msg_hash_norm)) &&
    (!body_hash || same(row.body_hash, body_hash)) &&
    (opcode === undefined || row.opcode === (opcode | 0)) &&
    isAt(row.source, source) &&
    isAt(row.destination, destination) &&
    (direction === undefined || row.direction === (direction === "in" ? 0 : 1))
  );
}

type MessageListFilter = MessageMatch &
  Windows & {
    exclude_externals?: boolean | undefined;
    only_externals?: boolean | undefined;
    sort: "asc" | "desc";
  };

/** Hashes of the messages in the order of the answer. */
function naiveMessages(filter: MessageListFilter): Uint8Array[] {
  const byTime = filter.start_utime !== undefined || filter.end_utime !== undefined;
  const byLt = filter.start_lt !== undefined || filter.end_lt !== undefined;
  const rows = index.messages.filter(
    (row) =>
      messageMatches(row, filter) &&
      !(filter.exclude_externals && row.created_lt === undefined) &&
      !(filter.only_externals && row.created_lt !== undefined) &&
      (!byTime ||
        (row.created_at !== undefined && between(row.created_at, filter.start_utime, filter.end_utime))) &&
      (!byLt || (row.created_lt !== undefined && between(row.created_lt, filter.start_lt, filter.end_lt))),
  );
  const keyOf = (row: MessageRow) => (byTime ? row.created_at! : (row.created_lt ?? row.tx_lt));
  const once = new Map(rows.map((row) => [`${base64(row.msg_hash)} ${keyOf(row)}`, row]));
  return [...once.values()]
    .sort((a, b) =>
      inOrder(filter.sort, difference(keyOf(a), keyOf(b)), compareBytes(a.msg_hash, b.msg_hash)),
    )
    .map((row) => row.msg_hash);
}
