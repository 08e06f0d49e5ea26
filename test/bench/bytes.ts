import type { Database } from "../../server/store/database.js";
import { openPglite } from "../../server/store/pglite/pglite.js";
import { readTableSizes } from "../../server/store/queries/upkeep/table-sizes.js";
import { openPostgres } from "../../server/store/wire/postgres.js";
import { citusUrl, openDivided } from "../helpers/store/cluster-databases.js";
import { havePostgres, TestPostgres } from "../helpers/store/postgres.js";
import { readCompressed } from "./bytes/compressed.js";
import { fillSource, mergeOld } from "./bytes/filled.js";
import { readIndex, slots, storeCopies } from "./bytes/many-copies.js";
import { nodeLines, readSizes, sizeLines } from "./bytes/sizes.js";
import { columns, type Suite } from "./harness.js";

/** Copies of the blocks in each slot: of six, half-filled pages count little. PGlite takes several times as long for them. */
const copies = { pglite: 2, postgres: 6 };

/** Nothing is compared with a baseline: the report is the result. */
export const suite: Suite = {
  title:
    "Bytes per transaction of an index, by table; hot slots are as they were written, cold ones were merged",
  rows: () => [],
  async report() {
    const source = await openPglite();
    closers.push(() => source.close());
    const content = await fillSource(source, closers);
    const index = await readIndex(source.sql());
    const reports = [];
    for (const { name, database, copies } of await targets()) {
      const perSlot = await storeCopies(database, index, copies);
      const counts = await mergeOld(database, perSlot);
      const lines = sizeLines(await readSizes(database.sql()), counts);
      const past =
        counts.cold === 0 ? "" : `\n${compressedLine(await readCompressed(database.sql(), counts))}`;
      reports.push(`${name}, ${slots * perSlot} transactions: ${content}\n${columns(lines)}${past}`);
    }
    if (citusUrl !== undefined) reports.push(await reportCluster());
    return reports.join("\n\n");
  },
  async close() {
    for (const close of closers.reverse()) await close();
  },
};

/** Slots of a cluster are not merged. */
async function reportCluster(): Promise<string> {
  const [source, target] = [await openDivided(), await openDivided()];
  closers.push(source.close, target.close);
  const content = await fillSource(source.database, closers);
  const index = await readIndex(source.database.sql());
  const transactions = slots * (await storeCopies(target.database, index, copies.postgres));
  const lines = nodeLines(await readTableSizes(target.database.sql()), transactions);
  return `a cluster, ${transactions} transactions: ${content}\n${columns(lines)}`;
}

function compressedLine({ files, compressed }: Awaited<ReturnType<typeof readCompressed>>): string {
  const each = compressed.map(
    ({ kib, bytes, unpackUs }) =>
      `${bytes.toFixed(0)} with blocks of ${kib} KiB, of which one takes ${unpackUs.toFixed(0)} µs to unpack`,
  );
  return `of these are in merged slots: ${files.toFixed(0)}; on a filesystem that compresses by zlib: ${each.join(", ")}`;
}

const closers: (() => Promise<void>)[] = [];

type Target = { name: string; database: Database; copies: number };

async function targets(): Promise<Target[]> {
  const pglite = await openPglite();
  closers.push(() => pglite.close());
  const own = { name: "PGlite", database: pglite, copies: copies.pglite };
  if (!havePostgres()) return [own];
  const server = await TestPostgres.start();
  closers.push(() => server.stop());
  const postgres = openPostgres(await server.database());
  closers.push(() => postgres.close());
  return [own, { name: "PostgreSQL", database: postgres, copies: copies.postgres }];
}
