import type { Config } from "../../config/settings.js";
import type { RateMeter } from "../../indexer/work/progress.js";
import { exportIndex } from "../../store/snapshots/export-index.js";
import type { Manifest } from "../../store/snapshots/manifest.js";
import { SnapshotFolder } from "../../store/snapshots/snapshot-folder.js";
import type { Environment } from "../environment.js";
import { createIndexJob, type IndexJob } from "./index-job.js";

/** Progress in megabytes. */
export type BytesProgress = {
  all: number;
  missing: number;
  perSec: number;
  remainingSec: number | undefined;
};

/** What a snapshot has, once it is written or read. */
export type SnapshotSummary = {
  first: number;
  last: number;
  files: number;
  bytes: number;
  transactions: number;
};

type ExportJob = IndexJob<BytesProgress> & { summary(): SnapshotSummary | undefined };

/** Creates the process of `tonwire export-index`, which writes the index into a folder. */
export function createExport(config: Config, path: string, environment: Environment = {}): ExportJob {
  let manifest: Manifest | undefined;
  const job = createIndexJob<BytesProgress>(config, environment, async (work, signal) => {
    const { database, rate, onProgress } = work;
    const folder = await SnapshotFolder.open(path);
    try {
      const report = megabytes(rate, onProgress);
      manifest = await exportIndex(database.sql({ connections: 1 }), { folder, signal, onProgress: report });
    } finally {
      await folder.close();
    }
  });
  return Object.assign(job, { summary: () => manifest && summaryOf(manifest) });
}

/** Reports bytes as progress. */
export function megabytes(
  rate: RateMeter,
  onProgress: (progress: BytesProgress) => void,
): (all: number, done: number) => void {
  rate.begin(0);
  return (all, done) => {
    const missing = inMegabytes(all - done);
    rate.reached(inMegabytes(done));
    onProgress({
      all: inMegabytes(all),
      missing,
      perSec: rate.perSec,
      remainingSec: rate.remainingSec(missing),
    });
  };
}

function inMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}

export function summaryOf({ first, last, files, tables }: Manifest): SnapshotSummary {
  return {
    first: first.seqno,
    last: last.seqno,
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    transactions: tables["transactions"]?.rows ?? 0,
  };
}
