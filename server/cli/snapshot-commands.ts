import { Command, InvalidArgumentError } from "commander";
import { type Config, ConfigError } from "../config/settings.js";
import { type ConfiguredContext, configured } from "./configured-command.js";
import { confirmIndex } from "./confirm-index.js";
import { commonKeys, filledLine, readSeqno, type StartedIndexJob } from "./index-commands.js";
import { type JobContext, runJob, type StartedJob } from "./job.js";
import { type Progress, progressLine } from "./progress-display.js";
import { indexKeys, indexOf } from "./upkeep-commands.js";

type Summary = { first: number; last: number; files: number; bytes: number; transactions: number };
type ImportSummary = Summary & {
  compared: {
    blocks: readonly { from: number; to: number }[];
    derived: { traces: number; others: number };
  };
};

/** A running export or import, as its command sees it. `summary` is there once `done` has resolved. */
type StartedCopy<S> = StartedJob & { progress(): Progress | undefined; summary(): S | undefined };

type DaysPlan = { table: string; folder: string; from?: number; to?: number; follow: boolean };
type ImportPlan = { from: string; sample: number };

/** The jobs that the commands on snapshots start. */
export type SnapshotContext = ConfiguredContext &
  JobContext & {
    createDayExport: (config: Config, plan: DaysPlan) => Promise<StartedIndexJob>;
    createExport: (config: Config, folder: string) => StartedCopyMaker<Summary>;
    createImport: (config: Config, plan: ImportPlan) => StartedCopyMaker<ImportSummary>;
  };
type StartedCopyMaker<S> = Promise<StartedCopy<S>>;

const maxSample = 100_000;

/** The commands that write the rows of an index into files, and read them. */
export function snapshotCommands(context: SnapshotContext): Command[] {
  return [exportCommand(context), importCommand(context), daysCommand(context)];
}

/** `tonwire export-index`: writes the index into files. */
function exportCommand(context: SnapshotContext): Command {
  const command = new Command("export-index")
    .description(
      "write the index as of one moment into a folder, for import-index; also while it is written and read. Run again, it continues, and replaces what has changed",
    )
    .argument("<folder>", "the folder of the snapshot");
  const run = async (config: Config) => {
    confirmIndex("export-index", config);
    const [folder] = command.processedArgs as [string];
    const job = await context.createExport(config, folder);
    const begin = `tonwire exports the index in ${indexOf(config)} into ${folder}`;
    await runJob(
      job,
      { begin, end: () => contentLine(job.summary()!), progress: () => lineOf(job) },
      context,
    );
  };
  return configured(command, context, { keys: indexKeys, run });
}

/** `tonwire import-index`: makes an index of such files. */
function importCommand(context: SnapshotContext): Command {
  const command = new Command("import-index")
    .description(
      "make an index of a snapshot that export-index has written, in an empty database. Run again, it continues",
    )
    .argument("<source>", "the folder of the snapshot, or its URL")
    .option("--sample <blocks>", "masterchain blocks whose rows are compared with the chain", readSample, 16);
  const run = async (config: Config, { sample }: { sample: number }) => {
    confirmIndex("import-index", config);
    const [from] = command.processedArgs as [string];
    const job = await context.createImport(config, { from, sample });
    const begin = `tonwire imports ${from} into the index in ${indexOf(config)}`;
    await runJob(
      job,
      { begin, end: () => importedLine(job.summary()!), progress: () => lineOf(job) },
      context,
    );
  };
  return configured(command, context, { keys: [...commonKeys, "devnetSeed"], run });
}

/** `tonwire export`: writes rows into Parquet files. */
function daysCommand(context: SnapshotContext): Command {
  const command = new Command("export")
    .description(
      "write rows into Parquet files, by the days of their masterchain blocks in UTC; also while the index is written. Run again, it continues",
    )
    .argument(
      "<table>",
      "blocks, transactions, messages, traces, actions, jetton_transfers or another table of the chain",
    )
    .requiredOption("--dir <folder>", "the folder of the files: TABLE/day=YYYY-MM-DD/FIRST-LAST.parquet")
    .option("--from <seqno>", "first masterchain block; default: the first one of the index", readSeqno)
    .option("--to <seqno>", "last one; default: the newest one", readSeqno)
    .option("--follow", "continue with later blocks until --to is written or the process is stopped");
  const run = async (config: Config, { dir: folder, from, to, follow = false }: DayFlags) => {
    confirmIndex("export", config);
    if (from !== undefined && to !== undefined && from > to)
      throw new ConfigError([`--from is ${from}; allowed: at most ${to}, the value of --to`]);
    const [table] = command.processedArgs as [string];
    const days = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    const job = await context.createDayExport(config, { table, folder, follow, ...days });
    const begin = `tonwire exports ${table} of the index in ${indexOf(config)} into ${folder}`;
    const progress = () => filledLine(job.progress());
    await runJob(job, { begin, end: () => "all blocks are exported", progress }, context);
  };
  return configured(command, context, { keys: indexKeys, run });
}

type DayFlags = { dir: string; from?: number; to?: number; follow?: boolean };

function readSample(text: string): number {
  const blocks = Number(text);
  if (!/^\d{1,6}$/.test(text) || blocks > maxSample)
    throw new InvalidArgumentError(`Allowed: a whole number from 0 to ${maxSample}.`);
  return blocks;
}

function lineOf(job: StartedCopy<unknown>): string | undefined {
  const progress = job.progress();
  return progress && progressLine("MB", progress);
}

function contentLine({ first, last, files, bytes, transactions }: Summary): string {
  return `blocks ${first} to ${last}, ${transactions} transactions, ${files} files, ${Math.ceil(bytes / 1e6)} MB`;
}

function importedLine({ compared, ...summary }: ImportSummary): string {
  const { blocks, derived } = compared;
  const spans = [...blocks]
    .sort((a, b) => a.from - b.from)
    .map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`));
  const said =
    spans.length === 0
      ? "no block was compared with the chain: all rows are trusted"
      : `the rows of the blocks ${spans.join(", ")} are those of the chain, their token events follow from them, and so do the actions of ` +
        `${derived.traces - derived.others} of ${derived.traces} traces; all other rows, contracts and holdings are trusted`;
  return `${contentLine(summary)}: ${said}`;
}
