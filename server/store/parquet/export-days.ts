import { parquetWriteBuffer } from "hyparquet-writer";
import { itemAt } from "../../../shared/values/lookups.js";
import { utcDay } from "../../../shared/values/utc-text.js";
import { SetupError } from "../../errors.js";
import type { Sql } from "../database.js";
import type { BlockSpan } from "../queries/upkeep/block-rows.js";
import { readPosition } from "../queries/upkeep/index-ranges.js";
import {
  type BlockMoment,
  type DatedTable,
  datedTables,
  readBlockTimes,
  readDatedRows,
} from "../queries/upkeep/rows-by-day.js";
import { DayParts } from "./day-parts.js";
import { type ParquetColumn, parquetColumns } from "./parquet-columns.js";

/** What is exported: the rows of a table, of masterchain blocks from `from` to `to`; by default all that are stored. */
export type DaysPlan = { table: string; folder: string; from?: number; to?: number };

/** Rows from which on a file ends. Its columns are in memory. */
const partRows = 50_000;
/** Rows that one statement should read, and masterchain blocks that it reads at most. */
const sliceRows = 5000;
const maxSliceBlocks = 1000;
/** While the index is followed, a file of a day that goes on has at least so many seconds of the chain. */
const followedSec = 600;

type ExportOptions = {
  signal: AbortSignal;
  /** Called with the masterchain blocks to export, and those that are exported. */
  onProgress(all: number, done: number): void;
};

/** Writes the rows of a table into Parquet files by the days of their masterchain blocks. */
export class DayExport {
  readonly #database: Sql;
  readonly #plan: DaysPlan;
  readonly #dated: DatedTable;
  readonly #columns: readonly ParquetColumn[];
  readonly #parts: DayParts;
  #sliceBlocks = 16;

  /** Throws `SetupError` for another table. */
  constructor(database: Sql, plan: DaysPlan) {
    const dated = datedTables.get(plan.table);
    if (!dated)
      throw new SetupError(
        `${plan.table} cannot be exported; allowed: ${[...datedTables.keys()].join(", ")}`,
      );
    this.#database = database;
    this.#plan = plan;
    this.#dated = dated;
    this.#columns = parquetColumns(dated.table);
    this.#parts = new DayParts(plan.folder, plan.table);
  }

  /**
   * Writes all that is stored and not in a file yet. `isFollowed`: it will be called again, so the newest blocks wait until
   * they fill a file. Returns whether the last block is written.
   */
  async write({ signal, onProgress }: ExportOptions, isFollowed: boolean): Promise<boolean> {
    const { first, last: newest } = await readPosition(this.#database);
    if (first === null || newest === null) throw new SetupError("the index has no blocks yet");
    const { from: begin = first, to: end = Number.POSITIVE_INFINITY } = this.#plan;
    if (begin < first)
      throw new SetupError(`the blocks before ${first} are not in the index: --from must not be less`);
    const last = Math.min(newest, end);
    for (let next = begin; ; ) {
      const { from, to = last } = await this.#parts.gapFrom(next);
      onProgress(Math.max(0, last - begin + 1), Math.max(0, Math.min(from, last + 1) - begin));
      if (from > last) return from > end;
      const part = await this.#read({ from, to: Math.min(to, last) }, signal);
      const mayGrow = part.span.to === newest && part.rows < partRows && part.sec < followedSec;
      if (isFollowed && mayGrow) return false;
      await this.#parts.write(part.day, part.span, part.bytes());
      next = part.span.to + 1;
    }
  }

  /** Reads rows from the first block of a span on, until the part is full, its day ends, or the span does. */
  async #read(span: BlockSpan, signal: AbortSignal): Promise<Part> {
    let part: Part | undefined;
    for (let next = span.from; next <= span.to; ) {
      signal.throwIfAborted();
      const to = Math.min(next + this.#sliceBlocks - 1, span.to);
      const times = await readBlockTimes(this.#database, { from: next, to });
      if (times.length < to - next + 1)
        throw new SetupError(`masterchain blocks from ${next} to ${to} are missing`);
      const day = part?.day ?? utcDay(1000 * itemAt(times, 0).utime);
      const own = times.filter(({ utime }) => utcDay(1000 * utime) === day);
      if (own.length > 0) {
        const of = { from: next, to: itemAt(own, -1).seqno };
        const rows = await readDatedRows(this.#database, this.#dated, of);
        part ??= new Part(this.#columns, day, of.from);
        part.add(own, rows);
        const wanted = Math.floor((own.length * sliceRows) / Math.max(rows.length, 1));
        this.#sliceBlocks = Math.max(1, Math.min(maxSliceBlocks, 2 * this.#sliceBlocks, wanted));
        next = of.to + 1;
      }
      if (part && (own.length < times.length || part.rows >= partRows)) return part;
    }
    return part!;
  }
}

/** Rows of one file, by columns. */
class Part {
  readonly day: string;
  readonly #columns: readonly ParquetColumn[];
  readonly #values: unknown[][];
  readonly #from: number;
  #first: BlockMoment | undefined;
  #last: BlockMoment | undefined;

  constructor(columns: readonly ParquetColumn[], day: string, from: number) {
    this.day = day;
    this.#columns = columns;
    this.#values = columns.map(() => []);
    this.#from = from;
  }

  get rows(): number {
    return this.#values[0]!.length;
  }

  get span(): BlockSpan {
    return { from: this.#from, to: this.#last!.seqno };
  }

  /** Between its first and its last block. */
  get sec(): number {
    return this.#last!.utime - this.#first!.utime;
  }

  /** Adds the rows of the next blocks. */
  add(blocks: readonly BlockMoment[], rows: readonly object[]): void {
    this.#first ??= itemAt(blocks, 0);
    this.#last = itemAt(blocks, -1);
    for (const [at, column] of this.#columns.entries()) {
      const values = this.#values[at]!;
      for (const row of rows) values.push(column.of(row as Record<string, unknown>));
    }
  }

  bytes(): Uint8Array {
    const elements = this.#columns.map(({ element }) => element);
    return new Uint8Array(
      parquetWriteBuffer({
        columnData: elements.map(({ name }, at) => ({ name, data: this.#values[at]! })),
        schema: [{ name: "rows", num_children: elements.length }, ...elements],
        createdBy: "tonwire",
      }),
    );
  }
}
