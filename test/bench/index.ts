import { openPglite } from "../../server/store/pglite/pglite.js";
import { openPostgres } from "../../server/store/wire/postgres.js";
import { havePostgres, TestPostgres } from "../helpers/store/postgres.js";
import type { Row, Suite } from "./harness.js";
import { openRecordedDetection, RecordedIngest, recordedBlocks } from "./v3/recorded-ingest.js";

/** Units are transactions. */
export const suite: Suite = {
  title: "Index: block files to committed rows (baseline: COPY of the same rows from memory)",
  async rows() {
    const blocks = recordedBlocks();
    if (blocks.length === 0) return [];
    const pglite = await openPglite();
    closers.push(() => pglite.close());
    const onPglite = await RecordedIngest.open(pglite, blocks);
    const indexOnPglite = onPglite.indexing();
    const rows: Row[] = [];
    if (havePostgres()) {
      const server = await TestPostgres.start();
      closers.push(() => server.stop());
      const postgres = openPostgres(await server.database());
      closers.unshift(() => postgres.close());
      const onPostgres = await RecordedIngest.open(postgres, blocks);
      const copy = onPostgres.copying();
      const index = onPostgres.indexing();
      const detection = await openRecordedDetection(closers);
      rows.push(
        { title: "on PostgreSQL", ours: index, baseline: copy, goal: { floor: 0.3, aim: 0.5 } },
        {
          title: "with recognition on PostgreSQL, against without",
          ours: onPostgres.indexing({ detection }),
          baseline: index,
          goal: { floor: 0.7, aim: 0.85 },
        },
        { title: "PGlite, against COPY on PostgreSQL", ours: indexOnPglite, baseline: copy },
      );
    }
    return [...rows, { title: "on PGlite", ours: indexOnPglite, baseline: onPglite.copying() }];
  },
  async close() {
    for (const close of closers) await close();
  },
};

const closers: (() => Promise<void>)[] = [];
