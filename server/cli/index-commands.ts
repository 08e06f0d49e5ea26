import { Command, InvalidArgumentError } from "commander";
import { base64ToBytes, hexToBytes } from "../../shared/values/bytes.js";
import { type Config, ConfigError } from "../config/settings.js";
import { type ConfiguredContext, configured } from "./configured-command.js";
import { confirmShared } from "./confirm-index.js";
import { adminLine, type JobContext, runJob, type StartedJob } from "./job.js";
import { progressLine } from "./progress-display.js";
import { type ServeContext, type Started, serve } from "./serve.js";

/** Masterchain blocks to fill in, and the number of ranges processed in parallel by this process. */
type BackfillPlan = { blocks: { from: number; to: number } | "gaps"; workers: number };

/**
 * Work on the blocks of an index, as its command sees it. `done` resolves when all blocks are done, by this process or
 * another.
 */
export type StartedIndexJob = StartedJob & { progress(): Filled | undefined };

/** A running backfill. */
type StartedBackfill = StartedIndexJob & {
  /** Blocks that are missing between others, once `done` has resolved. */
  gaps(): Gaps | undefined;
};

type Gaps = { count: number; blocks: number; newest: readonly { from: number; to: number }[] };

/** Progress over all planned ranges. */
type Filled = { blocks: number; missing: number; blocksPerSec: number; remainingSec: number | undefined };

export type IndexContext = ServeContext &
  ConfiguredContext &
  JobContext & {
    createIndexer: (config: Config) => Promise<Started<{ adminUrl?: string }>>;
    createBackfill: (config: Config, plan: BackfillPlan) => Promise<StartedBackfill>;
    createBootstrap: (config: Config, plan: BootstrapPlan) => Promise<StartedBootstrap>;
  };

/** The file with accounts to store, the root hash of its state, and the folder for what is known of its cells. */
type BootstrapPlan = { file: string; trust?: Uint8Array | undefined; folder?: string | undefined };

type StartedBootstrap = StartedJob & {
  progress():
    | {
        of: "cells" | "accounts";
        all: number;
        missing: number;
        perSec: number;
        remainingSec: number | undefined;
      }
    | undefined;
};

/** Settings of every command that writes the index. */
export const commonKeys = [
  "adminPort",
  "adminHost",
  "network",
  "data",
  "tvmWasm",
  "logLevel",
  "globalConfig",
  "globalConfigUrl",
  "cache",
  "verifyProofs",
  "healthMaxHeadAge",
  "databaseUrl",
  "takeoverMs",
] as const;

/** `tonwire index`: writes the index for any number of `tonwire api` processes. */
export function indexCommand(context: IndexContext): Command {
  const command = new Command("index")
    .description(
      "index the chain into PostgreSQL for `tonwire api`; if several run, one writes and the others stand by",
    )
    .option(
      "--bootstrap <file>",
      "instead, store the accounts in a node's state of a shard, or those that a list names, and end; also beside the process that writes",
    )
    .option("--bootstrap-trust <hash>", "root hash of the state, in place of a proof by the chain", readHash)
    .option("--bootstrap-folder <folder>", "for notes on the cells of the state; default: FILE.tonwire");
  const run = async (config: Config, own: BootstrapOptions, reread: () => Config) => {
    confirmShared("index", config);
    if (own.bootstrap !== undefined) return bootstrap(config, { ...own, file: own.bootstrap }, context);
    if (own.bootstrapTrust || own.bootstrapFolder !== undefined)
      throw new ConfigError(["the file is missing: --bootstrap"]);
    const welcome = ({ adminUrl }: { adminUrl?: string }) => [
      `tonwire indexes ${config.network} into ${placeOf(config)}`,
      ...adminLine(adminUrl),
    ];
    await serve({ starting: context.createIndexer(config), welcome, reread }, context);
  };
  return configured(command, context, {
    keys: [...commonKeys, "from", "healthMaxLag", "mergedTablespace", "bus", "redisUrl"],
    run,
  });
}

type BootstrapOptions = { bootstrap?: string; bootstrapTrust?: Uint8Array; bootstrapFolder?: string };

/** `tonwire index --bootstrap`: stores accounts that have not changed since the index began. */
async function bootstrap(
  config: Config,
  { file, bootstrapTrust: trust, bootstrapFolder: folder }: BootstrapOptions & { file: string },
  context: IndexContext,
): Promise<void> {
  const job = await context.createBootstrap(config, { file, trust, folder });
  const texts = {
    begin: `tonwire stores the accounts of ${file} in ${placeOf(config)}`,
    end: () => "all accounts are stored",
    progress: () => {
      const progress = job.progress();
      return progress && progressLine(progress.of, progress);
    },
  };
  await runJob(job, texts, context);
}

/** `tonwire backfill`: fills in past blocks; several processes share the work. */
export function backfillCommand(context: IndexContext): Command {
  const command = new Command("backfill")
    .description("fill past masterchain blocks into PostgreSQL; any number of processes share the work")
    .option("--from <seqno>", "first block", readSeqno)
    .option("--to <seqno>", "last block", readSeqno)
    .option("--gaps", "instead of --from and --to: all blocks that are missing between others")
    .option("--workers <n>", "ranges processed in parallel by this process", readWorkers, 1);
  const run = async (config: Config, { workers, ...given }: BackfillOptions) => {
    confirmShared("backfill", config);
    const job = await context.createBackfill(config, { blocks: blocksOf(given), workers });
    const texts = {
      begin: `tonwire fills in the index in ${placeOf(config)}`,
      end: () => endLine(job.gaps()),
      progress: () => filledLine(job.progress()),
    };
    await runJob(job, texts, context);
  };
  return configured(command, context, { keys: commonKeys, run });
}

type BackfillOptions = { from?: number; to?: number; gaps?: true; workers: number };

function blocksOf({ from, to, gaps }: Omit<BackfillOptions, "workers">): BackfillPlan["blocks"] {
  if (gaps && (from !== undefined || to !== undefined))
    throw new ConfigError(["--gaps finds the blocks by itself: leave out --from and --to"]);
  if (gaps) return "gaps";
  if (from === undefined || to === undefined)
    throw new ConfigError(["the blocks are missing: --from and --to, or --gaps"]);
  if (from > to) throw new ConfigError([`--from is ${from}; allowed: at most ${to}, the value of --to`]);
  return { from, to };
}

/** Names the missing blocks that no backfill has planned, if any. */
function endLine(gaps: Gaps | undefined): string {
  const gap = gaps?.newest.at(-1);
  if (!gaps || !gap) return "all blocks are filled in";
  const missing =
    gaps.count === 1
      ? `blocks ${gap.from} to ${gap.to} are missing between others`
      : `${gaps.blocks} blocks are missing in ${gaps.count} gaps, the last of them ${gap.from} to ${gap.to}`;
  const flags = gaps.count === 1 ? `--from ${gap.from} --to ${gap.to}` : "--gaps";
  return `the planned blocks are filled in, but ${missing}; to fill them in: tonwire backfill ${flags}`;
}

/** A line of progress over blocks; `undefined` while nothing is known of it. */
export function filledLine(filled: Filled | undefined): string | undefined {
  if (!filled) return undefined;
  const { blocks: all, missing, blocksPerSec: perSec, remainingSec } = filled;
  return progressLine("blocks", { all, missing, perSec, remainingSec });
}

/** Host and database name, without user and password. */
export function placeOf({ databaseUrl }: Config): string {
  const { host, pathname } = new URL(databaseUrl!);
  return `${host}${pathname}`;
}

function readHash(text: string): Uint8Array {
  const bytes = /^[0-9a-fA-F]{64}$/.test(text) ? hexToBytes(text) : base64ToBytes(text);
  if (bytes?.length !== 32) throw new InvalidArgumentError("Allowed: 64 hex digits, or 32 bytes in base64.");
  return bytes;
}

/** Reads the seqno of a masterchain block that an option names. Throws `InvalidArgumentError`. */
export function readSeqno(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > 0x7ffffffe)
    throw new InvalidArgumentError("Allowed: an integer from 1 to 2147483646.");
  return Number(text);
}

/** Reads a number of workers. Throws `InvalidArgumentError`. */
export function readWorkers(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError("Allowed: an integer from 1 to 99.");
  return Number(text);
}
