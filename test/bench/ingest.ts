import { ClassifierThread } from "../../server/indexer/classify/classifier-thread.js";
import { TraceClassifier } from "../../server/indexer/classify/trace-classifier.js";
import type { Detection } from "../../server/indexer/recognition/detection.js";
import type { Database } from "../../server/store/database.js";
import { openPostgres } from "../../server/store/wire/postgres.js";
import { sized } from "../helpers/effort.js";
import { havePostgres, TestPostgres } from "../helpers/store/postgres.js";
import type { Suite } from "./harness.js";
import { databaseWaits, noTimes, processorMicrosOf, timedDatabase } from "./ingest/database-time.js";
import { stageNames, timesOfStages } from "./ingest/stages.js";
import { profileThreads } from "./ingest/thread-profiles.js";
import { openRecordedDetection, RecordedIngest, recordedBlocks } from "./v3/recorded-ingest.js";

/** Units are transactions. */
export const suite: Suite = {
  title: "Ingest on PostgreSQL: block files to committed rows (baseline: COPY of the same rows from memory)",
  needs: "recorded blocks and PostgreSQL",
  async rows() {
    if (recordedBlocks().length === 0 || !havePostgres()) return [];
    const server = await TestPostgres.start();
    closers.push(() => server.stop());
    database = openPostgres(await server.database());
    closers.unshift(() => database!.close());
    const thread = new ClassifierThread();
    closers.unshift(() => thread.close());
    extras = {
      detection: await openRecordedDetection(closers),
      classifier: new TraceClassifier({ thread }),
    };
    const ingest = await RecordedIngest.open(database, recordedBlocks());
    const copy = ingest.copying();
    return [
      { title: "blocks alone", ours: ingest.indexing(), baseline: copy, goal: { floor: 0.3, aim: 0.5 } },
      {
        title: "with recognition and classification",
        ours: ingest.indexing(extras),
        baseline: copy,
        goal: { floor: 0.2, aim: 0.35 },
      },
    ];
  },
  report: async () => (database && extras ? reportStages(database, extras) : undefined),
  async close() {
    for (const close of closers) await close();
  },
};

type Extras = { detection: Detection; classifier: TraceClassifier };

const closers: (() => Promise<void>)[] = [];
let database: Database | undefined;
let extras: Extras | undefined;

/** Runs whose stages are added up. */
const runs = sized(1, 8);

/** Time per transaction in each stage of an ingest with recognition and classification. */
async function reportStages(opened: Database, both: Extras): Promise<string> {
  const stages = new Map<string, number>();
  const waited = noTimes();
  const waits = noTimes();
  const beside = opened.sql({ connections: 1 });
  let server: number | undefined = 0;
  const around = async (work: () => Promise<void>) => {
    Object.assign(waits, noTimes());
    const before = await processorMicrosOf(beside);
    for (const profile of await profileThreads(work)) addAll(stages, timesOfStages(profile));
    const after = await processorMicrosOf(beside);
    server = server === undefined || !before || !after ? undefined : server + after - before;
    for (const kind of databaseWaits) waited[kind] += waits[kind];
  };
  const ingest = await RecordedIngest.open(timedDatabase(opened, waits), recordedBlocks(), around);
  const index = ingest.indexing(both);
  await index();
  stages.clear();
  Object.assign(waited, noTimes());
  server = 0;
  const all = { units: 0, micros: 0 };
  for (let i = 0; i < runs; i++) {
    const { units, micros } = await index();
    all.units += units;
    all.micros += micros;
  }
  const busy = [...stages.values()].reduce((sum, micros) => sum + micros, 0);
  const line = (title: string, micros: number) =>
    `${title.padEnd(44)}${(micros / all.units).toFixed(1).padStart(8)}`;
  return [
    "Stages with recognition and classification, us per transaction; share of what all threads were busy",
    ...stageNames.map((name) => {
      const micros = stages.get(name) ?? 0;
      return `${line(name, micros)}${((100 * micros) / busy).toFixed(1).padStart(8)} %`;
    }),
    line("all threads together", busy),
    ...databaseWaits.map((kind) => line(`waiting for PostgreSQL: ${kind}`, waited[kind])),
    server === undefined ? "PostgreSQL runs elsewhere" : line("PostgreSQL's own processor time", server),
    line("from the first block to the last commit", all.micros),
  ].join("\n");
}

function addAll(sums: Map<string, number>, added: ReadonlyMap<string, number>): void {
  for (const [name, value] of added) sums.set(name, (sums.get(name) ?? 0) + value);
}
