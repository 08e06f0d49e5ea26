import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "../../server/store/database.js";
import { migrate } from "../../server/store/migrate/migrate.js";
import { DayExport } from "../../server/store/parquet/export-days.js";
import { openPglite } from "../../server/store/pglite/pglite.js";
import { replaceMeta } from "../../server/store/queries/upkeep/index-meta.js";
import { datedTables } from "../../server/store/queries/upkeep/rows-by-day.js";
import { readTableSizes } from "../../server/store/queries/upkeep/table-sizes.js";
import { exportIndex } from "../../server/store/snapshots/export-index.js";
import {
  beginImport,
  finishImport,
  importFiles,
  openSnapshot,
} from "../../server/store/snapshots/import-index.js";
import { SnapshotFolder } from "../../server/store/snapshots/snapshot-folder.js";
import { folderSource } from "../../server/store/snapshots/snapshot-source.js";
import { openPostgres } from "../../server/store/wire/postgres.js";
import { sized } from "../helpers/effort.js";
import { havePostgres, TestPostgres } from "../helpers/store/postgres.js";
import { fillStory, ofStory } from "./bytes/filled.js";
import { readIndex, slots, storeCopies } from "./bytes/many-copies.js";
import { columns, type Suite } from "./harness.js";

const usualTransactions = sized(1, 100_000);
const { signal } = new AbortController();
const options = { signal, onProgress: () => {} };

/** Nothing is compared with a baseline: the report is the result. */
export const suite: Suite = {
  title: "Snapshots and Parquet files of an index on PostgreSQL: seconds, and bytes beside the database's",
  needs: "PostgreSQL",
  rows: () => [],
  async report({ transactions = usualTransactions }) {
    if (!havePostgres()) return undefined;
    const server = await TestPostgres.start();
    closers.push(() => server.stop());
    const folder = mkdtempSync(join(tmpdir(), "tonwire-snapshots-"));
    closers.push(async () => rmSync(folder, { recursive: true, force: true }));
    const open = async () => {
      const database = openPostgres(await server.database());
      closers.push(() => database.close());
      return database;
    };
    const index = await open();
    const stored = await fill(index, transactions);
    const sql = index.sql({ connections: 1 });
    const sizes = new Map((await readTableSizes(sql)).map(({ table, bytes }) => [table, bytes]));
    const all = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    const snapshot = join(folder, "snapshot");
    const exported = await secondsOf(() => exportTo(sql, snapshot));
    const imported = await secondsOf(async () =>
      importFrom(snapshot, (await open()).sql({ connections: 1 })),
    );
    const lines: string[][] = [];
    for (const table of datedTables.keys()) {
      const seconds = await secondsOf(() => new DayExport(sql, { table, folder }).write(options, false));
      const [counted] = await sql.query<{ rows: bigint }>({
        text: `select count(*) as rows from ${table}`,
        values: [],
      });
      const bytes = bytesIn(join(folder, table));
      lines.push([
        table,
        String(counted!.rows),
        shown(seconds),
        megabytes(bytes),
        megabytes(sizes.get(table) ?? 0),
      ]);
    }
    return [
      `${stored} transactions: ${ofStory}; the database has ${megabytes(all)} MB with its indexes`,
      columns([
        ["", "seconds", "MB"],
        ["export-index", shown(exported), megabytes(bytesIn(snapshot))],
        ["import-index, without its sample", shown(imported), ""],
      ]),
      columns([["export", "rows", "seconds", "MB", "MB in the database"], ...lines]),
    ].join("\n\n");
  },
  async close() {
    for (const close of closers.reverse()) await close();
    closers.length = 0;
  },
};

const closers: (() => Promise<void>)[] = [];

/** Stores copies of the story. Returns the number of transactions. */
async function fill(database: Parameters<typeof storeCopies>[0], transactions: number): Promise<number> {
  const source = await openPglite();
  await fillStory(source);
  const index = await readIndex(source.sql());
  await source.close();
  const own = index.find(({ table }) => table.name === "transactions")!.rows.length;
  const perSlot = await storeCopies(database, index, Math.ceil(transactions / (own * slots)));
  const sql = database.sql();
  await replaceMeta(sql, "network", "devnet");
  await replaceMeta(sql, "zero_state", "00".repeat(32));
  return perSlot * slots;
}

async function exportTo(sql: Sql, path: string): Promise<void> {
  const folder = await SnapshotFolder.open(path);
  try {
    await exportIndex(sql, { ...options, folder });
  } finally {
    await folder.close();
  }
}

async function importFrom(path: string, sql: Sql): Promise<void> {
  const source = folderSource(path);
  const snapshot = await openSnapshot(source, signal);
  await migrate(sql);
  await beginImport(sql, snapshot);
  await importFiles(sql, { ...options, source, snapshot });
  await finishImport(sql, snapshot);
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

const shown = (seconds: number) => seconds.toPrecision(2);
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
