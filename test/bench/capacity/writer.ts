import pg from "pg";
import { ClassifierThread } from "../../../server/indexer/classify/classifier-thread.js";
import { TraceClassifier } from "../../../server/indexer/classify/trace-classifier.js";
import type { Database } from "../../../server/store/database.js";
import { sized } from "../../helpers/effort.js";
import { processorMicrosOf } from "../ingest/database-time.js";
import { openRecordedDetection, RecordedIngest, recordedBlocks } from "../v3/recorded-ingest.js";
import { loggedBytes } from "./server-counters.js";

/** Cost of one transaction: processor time of all threads and of PostgreSQL, and bytes of its log. */
export type WriteCost = { nodeUs: number; postgresUs: number; walBytes: number };

/** Runs whose costs are added up. */
const runs = sized(1, 4);

/** Recorded blocks with recognition and classification; `undefined` without these. */
export async function measureWriter(
  database: Database,
  url: string,
  closers: (() => Promise<void>)[],
): Promise<WriteCost | undefined> {
  const blocks = recordedBlocks();
  if (blocks.length === 0) return undefined;
  const thread = new ClassifierThread();
  closers.push(() => thread.close());
  const extras = {
    detection: await openRecordedDetection(closers),
    classifier: new TraceClassifier({ thread }),
  };
  const beside = new pg.Client(url);
  await beside.connect();
  closers.push(() => beside.end());
  const sql = database.sql({ connections: 1 });
  const sums: WriteCost = { nodeUs: 0, postgresUs: 0, walBytes: 0 };
  const around = async (work: () => Promise<void>) => {
    const [server, logged] = [await processorMicrosOf(sql), await loggedBytes(beside)];
    const { user, system } = process.cpuUsage();
    await work();
    const spent = process.cpuUsage({ user, system });
    sums.nodeUs += spent.user + spent.system;
    sums.walBytes += (await loggedBytes(beside)) - logged;
    sums.postgresUs += ((await processorMicrosOf(sql)) ?? Number.NaN) - (server ?? Number.NaN);
  };
  const ingest = await RecordedIngest.open(database, blocks, around);
  const index = ingest.indexing(extras);
  await index();
  Object.assign(sums, { nodeUs: 0, postgresUs: 0, walBytes: 0 });
  let transactions = 0;
  for (let run = 0; run < runs; run++) transactions += (await index()).units;
  return {
    nodeUs: sums.nodeUs / transactions,
    postgresUs: sums.postgresUs / transactions,
    walBytes: sums.walBytes / transactions,
  };
}
