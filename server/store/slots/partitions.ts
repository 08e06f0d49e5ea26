import { itemAt } from "../../../shared/values/lookups.js";
import type { Sql, Transaction } from "../database.js";
import { isDeadlock } from "../database-errors.js";
import type { Table } from "../declare/table.js";
import { keepOffWriters } from "../queries/cluster/divided-clauses.js";
import { runScript } from "../queries/cluster/scripts.js";
import { partitionedTables, tidied } from "../queries/slots/partition-copies.js";
import {
  type Extent,
  estimatedRows,
  holdSlots,
  insertSlot,
  readSlots,
  slotsWithoutPartitions,
  widenSlots,
} from "../queries/slots/slots.js";
import { readMeta } from "../queries/upkeep/index-meta.js";
import { lockForTransaction } from "../sql/locks.js";

/** Transactions per slot that new slots are made for: their indexes, 38 GB, then fit in memory. */
const transactionsPerSlot = 20_000_000;
/** Fewer transactions than this say nothing of how many there will be. */
const leastRows = 100_000;
/** Slots are at most this many times wider or narrower than the first ones. */
const maxFactor = 64;
/** Nodes of a cluster attach partitions one after the other, and may meet readers of several nodes in between. */
const mostAttempts = 5;

type Range = { readonly from: bigint; readonly to: bigint };

/** Creates slots of lt, with the partitions of all partitioned tables, as they are needed. */
export class Partitions {
  readonly #database: Sql;
  /** Known slots, ascending. Old ones may have been merged since. */
  #slots: readonly Range[] = [];
  /** Neighbouring rows are in the same slot. */
  #recent: Range | undefined;

  constructor(database: Sql) {
    this.#database = database;
  }

  /** Creates the slots for rows with lt in `from ..= to`, in transactions of their own. Returns whether there were any. */
  async cover(from: bigint, to: bigint): Promise<boolean> {
    let hasCreated = false;
    for (let lt = from; lt <= to; lt = this.#find(lt)!.to)
      if (!this.#find(lt) && (await this.#create(lt))) hasCreated = true;
    return hasCreated;
  }

  /** Notes the bounds of rows before they are stored, so that they are never narrower than the rows. */
  async widen(extent: Extent): Promise<void> {
    await widenSlots(this.#database, extent);
  }

  /**
   * Whether the covered slots of an extent are as they are known here. If so, they stay so until the end of the
   * transaction; if not, they are read again when they are covered next.
   */
  async hold(transaction: Transaction, { from, to }: Pick<Extent, "from" | "to">): Promise<boolean> {
    const held = await holdSlots(transaction, from, to);
    const isKnown = held.every(({ from_lt, to_lt }) => this.#find(from_lt)?.to === to_lt);
    if (!isKnown) {
      this.#slots = [];
      this.#recent = undefined;
    }
    return isKnown;
  }

  /** Start of the slot of an lt, which must be covered. */
  slotOf(lt: bigint): bigint {
    const recent = this.#recent;
    if (recent && recent.from <= lt && lt < recent.to) return recent.from;
    this.#recent = this.#find(lt)!;
    return this.#recent.from;
  }

  #find(lt: bigint): Range | undefined {
    return this.#slots.findLast(({ from, to }) => from <= lt && lt < to);
  }

  async #create(lt: bigint): Promise<boolean> {
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#tryToCreate(lt);
      } catch (error) {
        if (attempt === mostAttempts || !isDeadlock(error)) throw error;
      }
  }

  #tryToCreate(lt: bigint): Promise<boolean> {
    return this.#database.transaction(async (transaction) => {
      await lockForTransaction(transaction, "partition");
      const slots = await readSlots(transaction);
      const known = slots.map(({ from_lt, to_lt }) => ({ from: from_lt, to: to_lt }));
      this.#slots = known;
      if (this.#find(lt)) return false;
      await keepOffWriters(transaction);
      const made = await rangeFor(transaction, lt, known);
      await insertSlot(transaction, made.from, made.to);
      await attachAll(transaction, made);
      this.#slots = [...known, made].sort((a, b) => (a.from < b.from ? -1 : 1));
      return true;
    });
  }
}

/** Creates the partitions that slots lack, whose rows were stored by an import. */
export async function attachSlots(database: Sql): Promise<void> {
  const slots = await slotsWithoutPartitions(database);
  for (const { from_lt, to_lt } of slots)
    await database.transaction((transaction) => attachAll(transaction, { from: from_lt, to: to_lt }));
}

/** A new slot around `lt`, between its neighbours, as wide as fits the number of transactions in the nearest one. */
async function rangeFor(transaction: Transaction, lt: bigint, slots: readonly Range[]): Promise<Range> {
  const below = slots.findLast(({ to }) => to <= lt);
  const above = slots.find(({ from }) => from > lt);
  const width = await widthBeside(transaction, below ?? above);
  const start = below?.to ?? 0n;
  const from = lt - start < width ? start : (lt / width) * width;
  const first = from < start ? start : from;
  return { from: first, to: above && above.from < first + width ? above.from : first + width };
}

async function widthBeside(transaction: Transaction, beside: Range | undefined): Promise<bigint> {
  const row = itemAt(await readMeta(transaction, ["lt_grid"]), 0);
  const initial = BigInt(row.value);
  if (!beside) return initial;
  const rows = await estimatedRows(transaction, beside.from, beside.to);
  if (rows < leastRows) return initial;
  const factor = (Number(beside.to - beside.from) / Number(initial)) * (transactionsPerSlot / rows);
  const bounded = Math.min(Math.max(factor, 1 / maxFactor), maxFactor);
  return BigInt(Math.round(bounded * Number(initial)));
}

/** Attaches a new partition to each partitioned table. */
async function attachAll(transaction: Transaction, range: Range): Promise<void> {
  for (const table of partitionedTables) await attach(transaction, table, range);
}

/** Attaches a new table: creating it as a partition would wait for every reader of the parent. */
async function attach(
  transaction: Transaction,
  { name: table, partitionBy: column }: Table,
  range: Range,
): Promise<void> {
  const name = `${table}_${range.from}`;
  const script = `
    create table ${name} (like ${table} including defaults including constraints) with (${tidied});
    alter table ${name} add check (${column} >= ${range.from} and ${column} < ${range.to});
    alter table ${table} attach partition ${name} for values from (${range.from}) to (${range.to})`;
  await runScript(transaction, script);
}
