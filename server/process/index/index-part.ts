import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { type Config, ConfigError } from "../../config/settings.js";
import { ServiceError } from "../../errors.js";
import type { BackfillProgress, IndexProgress } from "../../indexer/work/progress.js";
import type { ReasonOrText } from "../../observe/health.js";
import type { IndexRole } from "../../observe/part-metrics.js";
import type { Head } from "../../rpc/cache.js";
import type { Database } from "../../store/database.js";
import { claimDatabase, type DatabaseClaim } from "../../store/open.js";
import type { BootstrappedState } from "../../store/queries/upkeep/bootstraps.js";
import { type Gaps, noGaps, type PlacedGap } from "../../store/queries/upkeep/index-gaps.js";
import type { QueueLength } from "../../store/queries/upkeep/recognition-queue.js";
import { defaultStatementsMs, type IndexReader } from "../../store/reads/index-reader.js";
import type { Replicas } from "../../store/reads/replicas.js";
import type { Context } from "../context/context.js";
import { confirmBus } from "./bus.js";
import type { MetadataPart } from "./metadata.js";

/** State of the index, for `/status` and metrics. */
export type IndexStatus = {
  role: IndexRole;
  /** Whether the database can be reached and has an index of this version and chain. */
  isReadable: boolean;
  /** Whether calls that read it are answered: by the database, or by standbys while that is away. */
  isAnswered: boolean;
  progress: IndexProgress;
  /** `undefined` if no backfill is planned. */
  backfill: BackfillProgress | undefined;
  /** The accounts whose contracts are recognised later. */
  queue: QueueLength | undefined;
  gaps: Gaps;
  /** The first block from which on none is missing. */
  first: number | undefined;
  /** States whose accounts are stored without the blocks before. */
  states: readonly BootstrappedState[];
  standbys: Replicas["all"];
};

/** Reasons why a part of the index does not work; absent for the parts that do. */
export type IndexHealth = {
  /** Calls that read it cannot be answered, or lag for longer than `--health-max-lag`. */
  readonly reads?: ReasonOrText | undefined;
  /** Nothing can be stored in it. */
  readonly writes?: ReasonOrText | undefined;
  /** All calls are answered, but worse. */
  readonly degraded?: ReasonOrText | undefined;
  /** The process has just begun to open or to fill it. */
  readonly startup?: ReasonOrText | undefined;
};

/** The index of a process: its reader, its state, and the writer if this process writes it. */
export interface IndexPart {
  readonly reader: Pick<IndexReader, "read">;
  /** Fetches metadata for the tokens in answers. */
  readonly metadata: Pick<MetadataPart, "want"> | undefined;
  /** Newest block of the index, for cached answers that are valid until the next one. */
  readonly head: Head;
  /** The masterchain blocks that are missing between others. */
  readonly gaps: Gaps<PlacedGap>;
  /** `undefined` without an index, and before the database is open. */
  status(): IndexStatus | undefined;
  /** Whether the index lags so far behind that single accounts should be read from the chain. */
  isLate(): boolean;
  health(): IndexHealth;
  /** Notifies when the index has changed or may have. */
  onNews(listener: () => void): void;
  /** Call when a block of the index was read, before any client learns of it: answers cached earlier are dropped. */
  saw(): void;
  /** Notifies when the index of a devnet, which this process writes, has the chain up to a block and nothing else. */
  onCaughtUp(listener: (last: BlockIdExt) => void): void;
  /** Calls back once with the database, when it has the schema of this version and belongs to the chain. */
  onDatabase(listener: (database: Database) => void): void;
  /** Starts to open the database, in the background. */
  begin(): void;
}

/** Share of a call's deadline allowed for its SQL statements, unless the default timeout is longer. */
const statementsShare = 0.3;
/** From here on an index lags. */
export const lateSec = 60;
export const usualMaxLagSec = 120;
/** How long the first answers wait for the database: an embedded one is opened while the service answers already. */
export const openWaitMs = 3000;
/** Why an index counts as too late, if it may lag for no longer than `maxSec`. */
export function lagReason(lagSec: number | undefined, maxSec: number): string | undefined {
  if (lagSec === undefined) return "The index has no block yet";
  return lagSec > maxSec ? `index lags ${lagSec} s` : undefined;
}

export function statementsMs({ callTimeoutMs }: Config): number {
  return Math.max(defaultStatementsMs, Math.round(statementsShare * callTimeoutMs));
}

/** The index part of a service without an index: methods that read it are refused. */
export const noIndexPart: IndexPart = {
  reader: {
    read: () =>
      Promise.reject(new ServiceError("unknown-method", "this service has no index", { status: 404 })),
  },
  metadata: undefined,
  head: { current: undefined },
  gaps: noGaps,
  status: () => undefined,
  isLate: () => true,
  health: () => ({}),
  onNews: () => {},
  saw: () => {},
  onCaughtUp: () => {},
  onDatabase: () => {},
  begin: () => {},
};

/** Whether this process writes the index, or only reads the one that another process writes. */
export type IndexMode = "write" | "read";

/**
 * Claims the configured database for an index of ours. An embedded database is exclusive: throws `SetupError` if another
 * process has it.
 */
export async function claimIndex({ config, closers, fallback }: Context): Promise<DatabaseClaim> {
  if (config.databaseLayout !== "tonwire")
    throw new ConfigError([
      `--database-layout ${config.databaseLayout} is for \`tonwire api\` alone, which writes nothing to the database`,
    ]);
  if (config.databaseReadUrls.length > 0 && config.databaseUrl === undefined)
    throw new ConfigError(["--database-read-urls are standbys of --database-url, which is not set"]);
  if (config.mergedTablespace !== undefined && config.databaseUrl === undefined)
    throw new ConfigError(["--merged-tablespace is one of --database-url, which is not set"]);
  await confirmBus(config);
  const { databaseUrl: url, takeoverMs } = config;
  const folder = config.data === undefined ? undefined : `${config.data}/index`;
  const claim = await claimDatabase({ url, folder, fallback, takeoverMs });
  return closers.add(claim, (each) => each.release());
}
