import SQL, { raw } from "sql-template-tag";
import { ExecutorThreads } from "../../../server/chain/executor/threads/executor-threads.js";
import { TimeSlice } from "../../../server/chain/time-slice.js";
import {
  type GroupLimits,
  RangeIndexer,
  type RangeSetting,
} from "../../../server/indexer/batch/range-indexer.js";
import { decodeBlock, openBlock } from "../../../server/indexer/decode/decode-block.js";
import { Detection } from "../../../server/indexer/recognition/detection.js";
import type { MasterchainUnit } from "../../../server/indexer/units/chain-units.js";
import { claimHead, planHead } from "../../../server/indexer/work/ranges.js";
import { TableCopy } from "../../../server/store/copy/table-copy.js";
import type { CopyRows, Database, Queries, Sql } from "../../../server/store/database.js";
import type { Table } from "../../../server/store/declare/table.js";
import { migrate } from "../../../server/store/migrate/migrate.js";
import { selectRows } from "../../../server/store/queries/rows.js";
import { Partitions } from "../../../server/store/slots/partitions.js";
import { tables } from "../../../server/store/tables/all-tables.js";
import { LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { RecordedContracts } from "../../helpers/contracts/recorded-contracts.js";
import { sized } from "../../helpers/effort.js";
import { testData } from "../../helpers/test-data.js";
import type { Contender, Spent } from "../harness.js";

type Opened = { store: Sql; isConcurrent: boolean; around: Around };
/** Runs the work that is timed. */
type Around = (work: () => Promise<void>) => Promise<void>;
type RecordedBlock = { id: BlockIdExt; bytes: Uint8Array };

/** Work of an indexer in addition to storing blocks. */
type Extras = Pick<RangeSetting, "detection" | "classifier">;

/** Groups as in a longer run, so that reading and storing overlap. */
const severalGroups = { blocks: 16, rows: 10_000 };
const oneGroup = { blocks: 1000, rows: 1_000_000 };
const warmUps = sized(1, 5);

/** The recorded chain has blocks only, without states. */
const noStates = new LiteError(liteErrorCode.notReady, "there are no states");

/** Complete recorded blocks, each treated as its own masterchain block; since a Unix time, if one is given. */
export function recordedBlocks({ since = 0 } = {}): RecordedBlock[] {
  const entries = testData().chain?.where({ kind: "block", network: "mainnet" }) ?? [];
  const wanted = entries.filter(({ facts }) => Number(facts["gen_utime"]) >= since);
  return wanted.slice(0, sized(4, wanted.length)).map((entry, i) => {
    const rootHash = Buffer.from(entry.rootHash!, "hex");
    return {
      id: { workchain: masterchain, shard: wholeShard, seqno: i + 1, rootHash, fileHash: rootHash },
      bytes: entry.read(),
    };
  });
}

/** Recognition with the accounts that were recorded with one of the blocks; all others are empty. */
export async function openRecordedDetection(closers: (() => Promise<void>)[]): Promise<Detection> {
  const pool = new ExecutorThreads({ threads: 1 });
  closers.push(() => pool.close());
  return new Detection(new RecordedContracts(testData().chain!, pool));
}

/** Indexes recorded blocks into a database again and again. Units are transactions. */
export class RecordedIngest {
  readonly #store: Sql;
  readonly #isConcurrent: boolean;
  readonly #around: Around;
  readonly #partitions: Partitions;
  readonly #blocks: readonly RecordedBlock[];
  readonly #timeSlice = new TimeSlice(1);
  #reading: Promise<unknown> = Promise.resolve();

  private constructor({ store, isConcurrent, around }: Opened, blocks: readonly RecordedBlock[]) {
    this.#store = store;
    this.#isConcurrent = isConcurrent;
    this.#around = around;
    this.#blocks = blocks;
    this.#partitions = new Partitions(store);
  }

  static async open(
    database: Database,
    blocks: readonly RecordedBlock[],
    around: Around = (work) => work(),
  ): Promise<RecordedIngest> {
    const store = database.sql();
    await migrate(store);
    return new RecordedIngest({ store, isConcurrent: database.isConcurrent, around }, blocks);
  }

  /** Block files to committed rows. An indexer runs for hours, so only its speed after JIT compilation counts. */
  indexing(extras: Extras = {}): () => Promise<Spent> {
    const once = async () => {
      await this.#empty();
      return this.#timed(() => this.#indexInto(this.#store, severalGroups, extras));
    };
    let runs = 0;
    return async () => {
      for (; runs < warmUps; runs++) await once();
      return once();
    };
  }

  /** Indexes the blocks once, into an empty database. */
  async fill(extras: Extras): Promise<void> {
    await this.#indexInto(this.#store, oneGroup, extras);
  }

  /** COPY of the same rows from memory. */
  copying(): Contender {
    let copies: CopyRows[] | undefined;
    return async () => {
      await this.#empty();
      if (!copies) {
        await this.#indexInto(this.#store, oneGroup);
        copies = await storedRows(this.#store);
        await this.#empty();
      }
      const recorded = copies;
      return this.#timed(() =>
        this.#store.transaction(async (transaction) => {
          for (const copy of recorded) await transaction.write([copy]);
        }),
      );
    };
  }

  async #indexInto(database: Sql, limits: GroupLimits, extras: Extras = {}): Promise<void> {
    await planHead(this.#store, 1);
    const claim = await claimHead(this.#store, "bench");
    const units = {
      read: (seqno: number) => this.#read(seqno),
      account: () => Promise.reject(noStates),
      config: () => Promise.reject(noStates),
      blockBefore: () => Promise.reject(noStates),
      timeSlice: this.#timeSlice,
    };
    const isConcurrent = this.#isConcurrent;
    const setting = { database, isConcurrent, partitions: this.#partitions, units, claim, limits, ...extras };
    const indexer = await RangeIndexer.open(setting);
    await indexer.indexTo(this.#blocks.length, new AbortController().signal);
  }

  /** One block after the other, as from a chain. */
  #read(seqno: number): Promise<MasterchainUnit> {
    const unit = this.#reading.then(() => this.#readNow(seqno));
    this.#reading = unit;
    return unit;
  }

  async #readNow(seqno: number): Promise<MasterchainUnit> {
    const { id, bytes } = this.#blocks[seqno - 1]!;
    const context = { id, mcSeqno: seqno, globalVersion: 11, timeSlice: this.#timeSlice };
    const block = await decodeBlock(openBlock(bytes), context);
    return {
      seqno,
      id,
      previousRootHash: this.#blocks[seqno - 2]?.id.rootHash ?? id.rootHash,
      genUtime: block.row.gen_utime,
      blocks: [block],
      heads: [id],
      accounts: block.accounts.read,
    };
  }

  async #empty(): Promise<void> {
    await this.#store.transaction((transaction) =>
      transaction.script(
        `truncate index_ranges, ${Object.values(tables)
          .map(({ name }) => name)
          .join(", ")}`,
      ),
    );
  }

  async #timed(work: () => Promise<void>): Promise<Spent> {
    let micros = 0;
    await this.#around(async () => {
      const start = performance.now();
      await work();
      micros = (performance.now() - start) * 1000;
    });
    const [row] = await this.#store.query<{ count: bigint }>(SQL`select count(*) from transactions`);
    return { units: Number(row!.count), micros };
  }
}

/** All rows of the index, in the form in which they are copied. */
async function storedRows(queries: Queries): Promise<CopyRows[]> {
  const copies: CopyRows[] = [];
  for (const table of Object.values<Table>(tables)) {
    const copy = new TableCopy(table);
    for (const row of await selectRows(queries, table, "t", raw(`${table.name} t`))) copy.add(row as never);
    if (copy.rows > 0) copies.push(copy.finish());
  }
  return copies;
}
