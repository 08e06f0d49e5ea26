import SQL from "sql-template-tag";
import { ExecutorPool } from "../../server/chain/executor/pool.js";
import { LiteError, liteErrorCode } from "../../server/chain/lite-api.js";
import { TimeSlice } from "../../server/chain/time-slice.js";
import type { MasterchainUnit } from "../../server/indexer/chain-units.js";
import { decodeBlock, openBlock } from "../../server/indexer/decode/decode-block.js";
import { Detection } from "../../server/indexer/detect/detection.js";
import { type GroupLimits, RangeIndexer } from "../../server/indexer/range-indexer.js";
import { claimHead, planHead } from "../../server/indexer/ranges.js";
import type { CopyRows, Database, Sql } from "../../server/store/database.js";
import { migrate } from "../../server/store/migrate.js";
import { Partitions } from "../../server/store/partitions.js";
import { openPglite } from "../../server/store/pglite.js";
import { openPostgres } from "../../server/store/postgres.js";
import { tables } from "../../server/store/tables.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../server/tlb/block-id.js";
import { havePostgres, TestPostgres } from "../helpers/postgres.js";
import { RecordedContracts } from "../helpers/recorded-contracts.js";
import { testData } from "../helpers/test-data.js";
import type { Contender, Row, Spent, Suite } from "./harness.js";

/** Units are transactions. */
export const suite: Suite = {
  title: "Index: block files to committed rows (baseline: COPY of the same rows from memory)",
  async rows() {
    const blocks = realBlocks();
    if (blocks.length === 0) return [];
    const pglite = await openPglite();
    closers.push(() => pglite.close());
    const onPglite = await contenders(pglite, blocks);
    const rows: Row[] = [];
    if (havePostgres()) {
      const server = await TestPostgres.start();
      closers.push(() => server.stop());
      const postgres = openPostgres(await server.database());
      closers.unshift(() => postgres.close());
      const onPostgres = await contenders(postgres, blocks);
      rows.push(
        {
          title: "on PostgreSQL",
          ours: onPostgres.index,
          baseline: onPostgres.copy,
          goal: { floor: 0.3, aim: 0.5 },
        },
        {
          title: "with recognition on PostgreSQL, against without",
          ours: onPostgres.recognise,
          baseline: onPostgres.index,
          goal: { floor: 0.7, aim: 0.85 },
        },
        { title: "PGlite, against COPY on PostgreSQL", ours: onPglite.index, baseline: onPostgres.copy },
      );
    }
    return [...rows, { title: "on PGlite", ours: onPglite.index, baseline: onPglite.copy }];
  },
  async close() {
    for (const close of closers) await close();
  },
};

const closers: (() => Promise<void>)[] = [];

type RealBlock = { id: BlockIdExt; bytes: Uint8Array };

/** Complete recorded blocks, each treated as its own masterchain block. */
function realBlocks(): RealBlock[] {
  const entries = testData().chain?.where({ kind: "block", network: "mainnet" }) ?? [];
  return entries.map((entry, i) => {
    const rootHash = Buffer.from(entry.rootHash!, "hex");
    return {
      id: { workchain: masterchain, shard: wholeShard, seqno: i + 1, rootHash, fileHash: rootHash },
      bytes: entry.read(),
    };
  });
}

async function readUnit(
  blocks: readonly RealBlock[],
  seqno: number,
  timeSlice: TimeSlice,
): Promise<MasterchainUnit> {
  const { id, bytes } = blocks[seqno - 1]!;
  const context = { id, mcSeqno: seqno, globalVersion: 11, timeSlice };
  const block = await decodeBlock(openBlock(bytes), context);
  return {
    seqno,
    id,
    previousRootHash: blocks[seqno - 2]?.id.rootHash ?? id.rootHash,
    genUtime: block.row.gen_utime,
    blocks: [block],
    heads: [id],
    accounts: block.accounts.read,
  };
}

/** Groups as in a longer run, so that reading and storing overlap. */
const severalGroups = { blocks: 16, rows: 10_000 };
const warmUps = 5;
const oneGroup = { blocks: 1000, rows: 1_000_000 };

/** The recorded chain has blocks only, without states. */
const noStates = new LiteError(liteErrorCode.notReady, "there are no states");
const withoutStates = () => Promise.reject(noStates);

async function contenders(
  database: Database,
  blocks: readonly RealBlock[],
): Promise<{ index: Contender; recognise: Contender; copy: Contender }> {
  const store = database.sql();
  await migrate(store);
  const partitions = new Partitions(store);
  const timeSlice = new TimeSlice(1);
  let reading: Promise<unknown> = Promise.resolve();
  const read = (seqno: number) => {
    const unit = reading.then(() => readUnit(blocks, seqno, timeSlice));
    reading = unit;
    return unit;
  };
  const units = { read, account: withoutStates, timeSlice };
  const detection = await openDetection();
  const indexInto = async (
    runDatabase: Sql,
    limits: GroupLimits,
    special: { detection?: Detection } = {},
  ) => {
    await planHead(store, 1);
    const claim = await claimHead(store, "bench");
    const setting = { database: runDatabase, partitions, units, claim, limits, ...special };
    const indexer = await RangeIndexer.open(setting);
    await indexer.indexTo(blocks.length, new AbortController().signal);
  };
  const copies: CopyRows[] = [];
  await indexInto(recording(store, copies), oneGroup);
  // An indexer runs for hours, so only its speed after JIT compilation counts.
  for (let i = 0; i < warmUps; i++) {
    await empty(store);
    await indexInto(store, severalGroups);
    await empty(store);
    await indexInto(store, severalGroups, { detection });
  }
  return {
    async index() {
      await empty(store);
      return timed(store, () => indexInto(store, severalGroups));
    },
    async recognise() {
      await empty(store);
      return timed(store, () => indexInto(store, severalGroups, { detection }));
    },
    async copy() {
      await empty(store);
      return timed(store, () =>
        store.transaction(async (transaction) => {
          for (const copy of copies) await transaction.write([copy]);
        }),
      );
    },
  };
}

/** Recognition with the accounts that were recorded with one of the blocks; all others are empty. */
async function openDetection(): Promise<Detection> {
  const pool = await ExecutorPool.start({ threads: 1 });
  closers.push(() => pool.close());
  return new Detection(new RecordedContracts(testData().chain!, pool));
}

/** Records the rows written to tables, also through a temporary table. */
function recording(store: Sql, copies: CopyRows[]): Sql {
  return {
    query: (statement, options) => store.query(statement, options),
    transaction: (work, options) =>
      store.transaction(
        (transaction) =>
          work({
            query: (statement) => transaction.query(statement),
            script: (script) => transaction.script(script),
            write: (steps) => {
              for (const step of steps) if (typeof step !== "string") copies.push(withoutStage(step));
              return transaction.write(steps);
            },
          }),
        options,
      ),
  };
}

function withoutStage({ target, rows }: CopyRows): CopyRows {
  return { target: { ...target, table: target.table.replace("stage_", "") }, rows };
}

async function empty(store: Sql): Promise<void> {
  await store.transaction((transaction) =>
    transaction.script(
      `truncate index_ranges, ${Object.values(tables)
        .map(({ name }) => name)
        .join(", ")}`,
    ),
  );
}

async function timed(store: Sql, work: () => Promise<void>): Promise<Spent> {
  const start = performance.now();
  await work();
  const micros = (performance.now() - start) * 1000;
  const [row] = await store.query<{ count: bigint }>(SQL`select count(*) from transactions`);
  return { units: Number(row!.count), micros };
}
