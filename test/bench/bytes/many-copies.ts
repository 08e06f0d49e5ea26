// An index with many copies of the rows of a small one, in which hashes, accounts and times differ as they do in blocks that
// follow one another.
import { createHash } from "node:crypto";
import SQL, { raw } from "sql-template-tag";
import { dividedTable } from "../../../server/store/cluster/divided-tables.js";
import { RowSet } from "../../../server/store/copy/row-set.js";
import type { Database, Queries } from "../../../server/store/database.js";
import type { Columns, Table } from "../../../server/store/declare/table.js";
import { migrate } from "../../../server/store/migrate/migrate.js";
import { selectRows } from "../../../server/store/queries/rows.js";
import { noEnd } from "../../../server/store/queries/upkeep/index-ranges.js";
import { Partitions } from "../../../server/store/slots/partitions.js";
import { tables } from "../../../server/store/tables/all-tables.js";
import { accountKey, hashPrefix } from "../../../server/store/tables/directories.js";
import { noTraceEnd } from "../../../server/store/tables/traces.js";

type Row = Record<string, unknown>;
type TableRows = { table: Table<Columns>; rows: readonly Row[] };

/** So many copies share their accounts: an account then has about ten transactions. */
const copiesOfAccount = 8;
export const slots = 8;
/** The lt of a copy: more than the transactions of its blocks span. */
const ltStep = 10_000_000_000n;
/** The time of a copy, likewise. */
const utimeStep = 1000;
const firstUtime = 1_700_000_000;
/** A body without bits and references, which is the same everywhere. */
const emptyBody = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7";
const emptyHash = Buffer.from(emptyBody, "hex");

/** The rows of all tables, to be copied into another database. */
export async function readIndex(queries: Queries): Promise<TableRows[]> {
  const found: TableRows[] = [];
  const isDivided = await queries.isDivided();
  for (const each of Object.values<Table<Columns>>(tables)) {
    const table = isDivided ? dividedTable(each) : each;
    const rows = await selectRows(queries, table, "t", raw(`${table.name} t`));
    found.push({ table: each, rows });
  }
  return found;
}

/** Stores the rows `perSlot` times in each of eight slots. Returns how many transactions there are then in each. */
export async function storeCopies(
  database: Database,
  index: readonly TableRows[],
  perSlot: number,
): Promise<number> {
  const sql = database.sql();
  await migrate(sql);
  const width = ltStep * BigInt(perSlot);
  await sql.query(SQL`update index_meta set value = ${String(width)} where key = 'lt_grid'`);
  const partitions = new Partitions(sql);
  const seqnos = greatestSeqno(index);
  const accounts = accountsByKey(index);
  for (let copy = 0; copy < slots * perSlot; copy++) {
    const from = ltStep * BigInt(copy + perSlot);
    await partitions.cover(from, from);
    const slot = partitions.slotOf(from);
    const place = { copy, from, slot, before: copy * seqnos, accounts };
    await partitions.widen({
      from,
      to: from,
      firstLt: from,
      lastLt: from + ltStep - 1n,
      firstUtime: firstUtime + copy * utimeStep,
      lastUtime: firstUtime + (copy + 1) * utimeStep,
      firstSeqno: place.before + 1,
      lastSeqno: place.before + seqnos,
    });
    const rows = await RowSet.for(sql);
    for (const { table, rows: own } of index) {
      const sink = rows.of(table);
      const seen = new Set<string>();
      for (const copied of inOrder(
        table,
        own.map((row) => copyRow(table, row, place)),
      )) {
        const key = table.key.map((column) => textOf(copied[column])).join(" ");
        if (table.merge !== undefined && seen.has(key)) continue;
        seen.add(key);
        sink.add(copied as never);
      }
    }
    await sql.transaction((transaction) => transaction.write(rows.finish()));
    // Rows of accounts are changed by each copy; autovacuum would see to that.
    if (copy % perSlot === 0) await sql.query(SQL`vacuum`);
  }
  await sql.query(SQL`
    insert into index_ranges (from_seqno, to_seqno, done_to, state)
    values (1, ${noEnd}, ${slots * perSlot * seqnos}, 1)`);
  return perSlot * index.find(({ table }) => table.name === "transactions")!.rows.length;
}

/** The blocks are of different times, and follow one another in the copy: a writer would store their rows in this order. */
function inOrder({ partitionBy }: Table<Columns>, rows: Row[]): Row[] {
  if (partitionBy === undefined) return rows;
  const at = (row: Row) => row[partitionBy] as bigint;
  return rows.sort((a, b) => (at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : 0));
}

/** The blocks of an index begin with 1 or a few seqnos later. */
function greatestSeqno(index: readonly TableRows[]): number {
  const blocks = index.find(({ table }) => table.name === "blocks")!.rows;
  return Math.max(...blocks.map((row) => row["mc_block_seqno"] as number));
}

type Accounts = ReadonlyMap<bigint, Uint8Array>;
/** `before`: the last seqno of the copy before. */
type Place = { copy: number; from: bigint; slot: bigint; before: number; accounts: Accounts };

/** Accounts of all rows, by the keys that other rows have in their place. */
function accountsByKey(index: readonly TableRows[]): Accounts {
  const found = index.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row).flat()));
  const accounts = found.filter(
    (value): value is Uint8Array => value instanceof Uint8Array && value.length === 33,
  );
  return new Map(accounts.map((account) => [accountKey(account), account]));
}

function copyRow(table: Table<Columns>, row: Row, place: Place): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      column === table.slotColumn || (column === table.partitionBy && column === "from_lt")
        ? place.slot
        : copyValue(column, value, place),
    ]),
  );
}

function copyValue(column: string, value: unknown, place: Place): unknown {
  if (value instanceof Uint8Array) return copyBytes(value, place.copy);
  if (Array.isArray(value)) return value.map((each) => copyValue(column, each, place));
  if (typeof value === "bigint" && column === "account_key") {
    const account = place.accounts.get(value);
    return account ? accountKey(copyBytes(account, place.copy)) : value;
  }
  if (typeof value === "bigint" && /^hash_prefix$|_key$/.test(column)) return copyPrefix(value, place.copy);
  if (typeof value === "bigint" && /(^|_)lt$/.test(column)) return copyLt(value, place);
  if (/(^|_)utime$|^now$|^created_at$|^timestamp$/.test(column)) return copyTime(value, place);
  if (/^mc_.*seqno|_mc_seqno|^(block_)?seqno$/.test(column)) return (value as number) + place.before;
  return value;
}

function copyLt(lt: bigint, { from }: Place): bigint {
  return lt <= 0n || lt === noTraceEnd ? lt : from + (lt % ltStep);
}

function copyTime(time: unknown, { copy }: Place): unknown {
  if (time === noTraceEnd || time === undefined) return time;
  const at = firstUtime + copy * utimeStep + (Number(time) % utimeStep);
  return typeof time === "bigint" ? BigInt(at) : at;
}

/** Hashes and accounts; other bytes stay as they are. */
function copyBytes(value: Uint8Array, copy: number): Uint8Array {
  if (value.length === 33) return Buffer.concat([value.subarray(0, 1), digestOf(value, accountCopy(copy))]);
  if (value.length !== 32 || isEverywhere(value)) return value;
  return Buffer.concat([prefixOf(value.subarray(0, 8), copy), digestOf(value, copy).subarray(8)]);
}

/** The prefix of a copied hash, of its prefix alone: directories have no more of it. */
function copyPrefix(prefix: bigint, copy: number): bigint {
  const whole = Buffer.alloc(32);
  whole.writeBigUInt64BE(BigInt.asUintN(64, prefix + 2n ** 63n));
  return prefix === hashPrefix(emptyHash) ? prefix : hashPrefix(copyBytes(whole, copy));
}

function prefixOf(bytes: Uint8Array, copy: number): Buffer {
  return digestOf(bytes, copy).subarray(0, 8);
}

function accountCopy(copy: number): number {
  return Math.floor(copy / copiesOfAccount);
}

function isEverywhere(hash: Uint8Array): boolean {
  return hash.every((byte) => byte === 0) || Buffer.from(hash).toString("hex") === emptyBody;
}

function digestOf(bytes: Uint8Array, copy: number): Buffer {
  return createHash("sha256").update(bytes).update(`${copy}`).digest();
}

function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : String(value);
}
