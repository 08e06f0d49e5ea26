import { isIP } from "node:net";
import { bytesToHex } from "../../../shared/values/bytes.js";
import type { Config } from "../../config/settings.js";
import { ServiceError, SetupError } from "../../errors.js";
import type { TraceClassifier } from "../../indexer/classify/trace-classifier.js";
import { compareWithChain, sampleOf } from "../../indexer/follow/sampled-blocks.js";
import { compareDerivations, type DerivedTraces } from "../../indexer/follow/sampled-derivations.js";
import { RateMeter } from "../../indexer/work/progress.js";
import { retried } from "../../indexer/work/retried.js";
import { FetchError } from "../../metadata/fetch-error.js";
import { internet, type MetadataNetwork } from "../../metadata/network.js";
import { resumedDownload } from "../../metadata/resumed-download.js";
import { isLoopbackName } from "../../os/loopback.js";
import { hasCredentials, hostOf, isPublicAddress } from "../../os/public-address.js";
import type { Sql } from "../../store/database.js";
import { emptyIndex } from "../../store/migrate/empty-index.js";
import { claimDatabase } from "../../store/open.js";
import { analyseAll } from "../../store/slots/statistics.js";
import {
  beginImport,
  FalseManifestError,
  finishImport,
  importFiles,
  type OpenedSnapshot,
  openSnapshot,
} from "../../store/snapshots/import-index.js";
import { folderSource, type SnapshotSource } from "../../store/snapshots/snapshot-source.js";
import { lockNumbers } from "../../store/sql/locks.js";
import { underLock } from "../../store/under-lock.js";
import type { Environment } from "../environment.js";
import { openClassifier } from "../network/classifier.js";
import { type ChainJob, type ChainWorkParts, createChainJob } from "./chain-job.js";
import { type BytesProgress, megabytes, type SnapshotSummary, summaryOf } from "./export-index.js";

/** The folder or URL of a snapshot, and how many of its masterchain blocks are compared with the chain. */
type ImportPlan = { from: string; sample: number };

/** Blocks that were compared with the chain, and traces in them whose actions were derived again. */
type Compared = { blocks: readonly { from: number; to: number }[]; derived: DerivedTraces };

type ImportSummary = SnapshotSummary & { compared: Compared };

type ImportJob = ChainJob & {
  progress(): BytesProgress | undefined;
  summary(): ImportSummary | undefined;
};

/** Creates the process of `tonwire import-index`, which makes an index of a snapshot. */
export function createImport(config: Config, plan: ImportPlan, environment: Environment = {}): ImportJob {
  const source = sourceOf(plan.from, environment.metadataNetwork ?? internet);
  let progress: BytesProgress | undefined;
  let summary: ImportSummary | undefined;
  const job = createChainJob(config, environment, {
    name: "import",
    isImport: true,
    async run(parts, signal) {
      const { database, failed, source: chain, context } = parts;
      const sql = database.sql({ connections: 1 });
      const snapshot = await retried(() => openSnapshot(source, signal), signal, failed);
      await confirmChain(snapshot, chain, config.network);
      await beginImport(sql, snapshot);
      const onProgress = megabytes(new RateMeter(context.now), (reached) => {
        progress = reached;
      });
      const classifier = openClassifier(context);
      // Another process may have the lock after an outage.
      const run = () =>
        underLock(database, lockNumbers.head, signal, async (held) => {
          await importFiles(sql, { source, snapshot, signal: held, onProgress });
          const compared = await compare(snapshot, plan.sample, { ...parts, classifier }, held);
          await finishImport(sql, snapshot);
          return compared;
        });
      const compared = await retried(run, signal, failed).catch((error) => withoutPart(error, sql));
      await retried(() => analyseAll(sql), signal, failed);
      summary = { ...summaryOf(snapshot.manifest), compared };
    },
    status: () => ({ import: progress ?? null }),
  });
  return Object.assign(job, { progress: () => progress, summary: () => summary });
}

/** Nothing stays of a snapshot that no import can end. Rejects with the error. */
async function withoutPart(error: unknown, database: Sql): Promise<never> {
  if (!(error instanceof FalseManifestError)) throw error;
  const isEmpty = await emptyIndex(database);
  const remedy = isEmpty
    ? "what was imported of it is removed"
    : "remove what was imported of it with tonwire empty-index";
  throw new SetupError(`${error.message}; ${remedy}`, { cause: error });
}

async function confirmChain(
  { manifest }: OpenedSnapshot,
  { api }: ChainWorkParts["source"],
  network: string,
): Promise<void> {
  const { init, last } = await api.getMasterchainInfo();
  const zeroState = bytesToHex(init.rootHash);
  if (manifest.network !== network || manifest.zeroState !== zeroState)
    throw new SetupError(
      `the snapshot is of another chain: ${manifest.network} with the zero state ${manifest.zeroState}, ` +
        `not ${network} with ${zeroState}`,
    );
  if (manifest.last.seqno > last.seqno)
    throw new SetupError(
      `the snapshot ends with block ${manifest.last.seqno}, and the chain has ${last.seqno} so far: try again later`,
    );
}

/** Compares a sample with the chain, in a database of its own in memory, and what is derived from it. */
async function compare(
  { manifest }: OpenedSnapshot,
  blocks: number,
  { context, database, source, failed, classifier }: ChainWorkParts & { classifier: TraceClassifier },
  signal: AbortSignal,
): Promise<Compared> {
  const spans = sampleOf(manifest.ranges, blocks, context.random);
  if (spans.length === 0) return { blocks: spans, derived: { traces: 0, others: 0 } };
  const claim = await claimDatabase({ fallback: context.fallback });
  const scratch = await claim.open(signal);
  try {
    await compareWithChain({ spans, index: database, scratch, lite: source.api, onError: failed }, signal);
  } finally {
    await scratch.close();
    await claim.release();
  }
  const derived = await compareDerivations({ spans, index: database, classifier }, signal);
  return { blocks: spans, derived };
}

function sourceOf(place: string, network: MetadataNetwork): SnapshotSource {
  if (!/^https?:\/\//i.test(place)) return folderSource(place);
  if (!URL.canParse(place)) throw new SetupError(`${place} is no URL`);
  const base = new URL(place);
  if (hasCredentials(base) || base.search !== "" || base.hash !== "")
    throw new SetupError(
      `${base.origin}${base.pathname}: give the URL without a user, a query and a fragment`,
    );
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  const host = hostOf(base);
  // An address that the operator has written is meant. A name may lead anywhere.
  const allows = isIP(host) !== 0 || isLoopbackName(host) ? () => true : isPublicAddress;
  return {
    place: base.href,
    async read(name, maxBytes, signal) {
      const url = new URL(name, base);
      try {
        return await resumedDownload(url, { network, allows, maxBytes }, signal);
      } catch (error) {
        if (!(error instanceof FetchError)) throw error;
        const text = `${url.href} cannot be fetched: ${error.failure}`;
        throw error.isPassing
          ? new ServiceError("unavailable", text, { cause: error })
          : new SetupError(text);
      }
    },
  };
}
