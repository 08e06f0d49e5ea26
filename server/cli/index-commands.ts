import { Command, InvalidArgumentError } from "commander";
import { type Config, ConfigError } from "../config/settings.js";
import { SetupError } from "../errors.js";
import { type ConfiguredContext, configured } from "./configured.js";
import { type Filled, ProgressDisplay, type Terminal } from "./progress-display.js";
import { type ServeContext, type Started, serve } from "./serve.js";
import { confirmShared } from "./shared-parts.js";

/** Masterchain blocks to fill in, and the number of ranges processed in parallel by this process. */
export type BackfillPlan = { from: number; to: number; workers: number };

/** A running backfill, as seen by the command. */
export type StartedBackfill = {
  listen(): Promise<{ adminUrl?: string }>;
  progress(): Filled | undefined;
  /** Resolves when every planned block is stored, by this or another process. */
  done: Promise<void>;
  close(): Promise<void>;
};

export type IndexContext = ServeContext &
  ConfiguredContext & {
    terminal: Terminal;
    createIndexer: (config: Config) => Started<{ adminUrl?: string }>;
    createBackfill: (config: Config, plan: BackfillPlan) => StartedBackfill;
  };

const commonKeys = [
  "adminPort",
  "network",
  "data",
  "logLevel",
  "globalConfig",
  "verifyProofs",
  "healthMaxHeadAge",
  "databaseUrl",
] as const;

/** `tonwire index`: writes the index for any number of `tonwire api` processes. */
export function indexCommand(context: IndexContext): Command {
  const command = new Command("index").description(
    "index the chain into PostgreSQL for `tonwire api`; if several run, one writes and the others stand by",
  );
  const run = async (config: Config) => {
    confirmShared("index", config);
    const welcome = ({ adminUrl }: { adminUrl?: string }) => [
      `tonwire indexes ${config.network} into ${placeOf(config)}`,
      ...adminLine(adminUrl),
    ];
    await serve(context.createIndexer(config), welcome, context);
  };
  return configured(command, context, { keys: [...commonKeys, "from", "healthMaxLag"], run });
}

/** `tonwire backfill`: fills in past blocks; several processes share the work. */
export function backfillCommand(context: IndexContext): Command {
  const command = new Command("backfill")
    .description("fill past masterchain blocks into PostgreSQL; any number of processes share the work")
    .requiredOption("--from <seqno>", "first block", readSeqno)
    .requiredOption("--to <seqno>", "last block", readSeqno)
    .option("--workers <n>", "ranges processed in parallel by this process", readWorkers, 1);
  const run = async (config: Config, { from, to, workers }: BackfillPlan) => {
    confirmShared("backfill", config);
    if (from > to) throw new ConfigError([`--from is ${from}; allowed: at most ${to}, the value of --to`]);
    await fill(context.createBackfill(config, { from, to, workers }), config, context);
  };
  return configured(command, context, { keys: commonKeys, run });
}

async function fill(
  job: StartedBackfill,
  config: Config,
  { print, terminal, stopRequested }: IndexContext,
): Promise<void> {
  const stop = stopRequested().then(() => {
    throw new SetupError("stopped before the end; run the same command again to continue");
  });
  stop.catch(() => {});
  job.done.catch(() => {});
  const display = new ProgressDisplay(terminal, print, () => job.progress());
  try {
    const { adminUrl } = await Promise.race([job.listen(), stop]);
    for (const line of [`tonwire fills in the index in ${placeOf(config)}`, ...adminLine(adminUrl)])
      print(line);
    display.begin();
    await Promise.race([job.done, stop]);
    display.end();
    print("all blocks are filled in");
  } finally {
    display.end();
    await job.close();
  }
}

/** Host and database name, without user and password. */
function placeOf({ databaseUrl }: Config): string {
  const { host, pathname } = new URL(databaseUrl!);
  return `${host}${pathname}`;
}

function adminLine(adminUrl: string | undefined): string[] {
  return adminUrl === undefined ? [] : [`metrics, status and health at ${adminUrl}`];
}

function readSeqno(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > 0x7ffffffe)
    throw new InvalidArgumentError("Allowed: an integer from 1 to 2147483646.");
  return Number(text);
}

function readWorkers(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError("Allowed: an integer from 1 to 99.");
  return Number(text);
}
