import { Command, InvalidArgumentError } from "commander";
import { type Config, ConfigError } from "../config/settings.js";
import { type ConfiguredContext, configured } from "./configured-command.js";
import { confirmIndex, confirmShared } from "./confirm-index.js";
import {
  commonKeys,
  filledLine,
  placeOf,
  readSeqno,
  readWorkers,
  type StartedIndexJob,
} from "./index-commands.js";
import { type JobContext, runJob, type StartedJob } from "./job.js";
import { progressLine } from "./progress-display.js";

/** A running redetection, as seen by the command. */
type StartedRedetection = StartedJob & {
  progress():
    | { accounts: number; missing: number; accountsPerSec: number; remainingSec: number | undefined }
    | undefined;
};

type ReclassifyPlan = { from: number; to: number; type?: string; workers: number };

/** How an index was divided among the nodes of a cluster now; `before` if it was already. */
type Divided = { shards: number; nodes: number } | "before";

/** The jobs that the commands on a stored index start. */
export type UpkeepContext = ConfiguredContext &
  JobContext & {
    createRedetection: (config: Config) => Promise<StartedRedetection>;
    createTokenReindex: (config: Config) => Promise<StartedIndexJob>;
    createReclassification: (config: Config, plan: ReclassifyPlan) => Promise<StartedIndexJob>;
    migrateIndex: (config: Config, plan: { citus: boolean }) => Promise<Divided | undefined>;
    emptyIndex: (config: Config) => Promise<void>;
  };

/** Settings of commands that need an index and no chain. */
export const indexKeys = ["data", "logLevel", "databaseUrl"] as const;
const jobKeys = [...indexKeys, "takeoverMs"] as const;

/** The commands that change a stored index as a whole. */
export function upkeepCommands(context: UpkeepContext): Command[] {
  return [
    redetectCommand(context),
    reindexTokensCommand(context),
    reclassifyCommand(context),
    migrateCommand(context),
    emptyIndexCommand(context),
  ];
}

/** `tonwire redetect`: recognises the contracts of an index that was filled by an earlier version. */
function redetectCommand(context: UpkeepContext): Command {
  const command = new Command("redetect").description(
    "recognise the contracts of an index that an earlier version filled; also while it is written and read",
  );
  const run = async (config: Config) => {
    // An index in a folder belongs to one process, which must not run now.
    if (config.databaseUrl !== undefined) confirmShared("redetect", config);
    else confirmIndex("redetect", config);
    const job = await context.createRedetection(config);
    const texts = {
      begin: `tonwire recognises the contracts of the index in ${indexOf(config)}`,
      end: () => "all accounts have been looked at",
      progress: () => {
        const progress = job.progress();
        if (!progress) return undefined;
        const { accounts: all, missing, accountsPerSec: perSec, remainingSec } = progress;
        return progressLine("accounts", { all, missing, perSec, remainingSec });
      },
    };
    await runJob(job, texts, context);
  };
  return configured(command, context, { keys: [...commonKeys, "devnetSeed"], run });
}

/** `tonwire reindex-tokens`: adds the token events of stored transactions; needs the index and no chain. */
function reindexTokensCommand(context: UpkeepContext): Command {
  const command = new Command("reindex-tokens").description(
    "add missing transfers and burns of known jetton wallets and NFT items, from stored transactions",
  );
  const run = async (config: Config) => {
    confirmIndex("reindex-tokens", config);
    const job = await context.createTokenReindex(config);
    const progress = () => filledLine(job.progress());
    const begin = `tonwire adds token events to the index in ${indexOf(config)}`;
    await runJob(job, { begin, end: () => "no token event is missing", progress }, context);
  };
  return configured(command, context, { keys: jobKeys, run });
}

/** `tonwire reclassify`: derives the actions of stored traces anew; needs the index and no chain. */
function reclassifyCommand(context: UpkeepContext): Command {
  const command = new Command("reclassify")
    .description("derive the actions of stored traces anew; also while the index is written and read")
    .option("--from <seqno>", "the first masterchain block whose traces are taken", readSeqno, 1)
    .option("--to <seqno>", "the last one", readSeqno, 0x7ffffffe)
    .option("--type <type>", "only traces that have an action of this type", readType)
    .option("--workers <number>", "threads that classify", readWorkers, 1);
  const run = async (config: Config, { from, to, type, workers }: ReclassifyPlan) => {
    confirmIndex("reclassify", config);
    if (from > to) throw new ConfigError([`--from is ${from}; allowed: at most ${to}, the value of --to`]);
    const plan = { from, to, workers, ...(type !== undefined && { type }) };
    const job = await context.createReclassification(config, plan);
    const progress = () => filledLine(job.progress());
    const begin = `tonwire classifies the traces of the index in ${indexOf(config)}`;
    await runJob(job, { begin, end: () => "all traces are classified", progress }, context);
  };
  return configured(command, context, { keys: jobKeys, run });
}

function readType(text: string): string {
  if (!/^[a-z0-9_]{1,60}$/.test(text))
    throw new InvalidArgumentError("Allowed: a type of actions, such as jetton_swap.");
  return text;
}

/** `tonwire migrate`: creates or migrates the tables of the index, and divides them among the nodes of a cluster. */
function migrateCommand(context: UpkeepContext): Command {
  const command = new Command("migrate")
    .description("create the tables of the index, or migrate them, as `index` does when it starts")
    .option(
      "--citus",
      "divide an empty index among the nodes of a Citus cluster, or further tables of a divided one",
    );
  const run = async (config: Config, { citus = false }: { citus?: boolean }) => {
    confirmIndex("migrate", config);
    if (citus && config.databaseUrl === undefined)
      throw new ConfigError([
        "--citus needs the coordinator of a cluster: set --database-url or DATABASE_URL",
      ]);
    const divided = await context.migrateIndex(config, { citus });
    context.print(`the tables of the index in ${indexOf(config)} are ready${endOf(divided)}`);
  };
  return configured(command, context, { keys: indexKeys, run });
}

function endOf(divided: Divided | undefined): string {
  if (divided === undefined) return "";
  if (divided === "before") return ", divided as before";
  return `, divided into ${divided.shards} shards on ${divided.nodes} nodes`;
}

/** `tonwire empty-index`: removes the index, so that the next start builds it anew. */
function emptyIndexCommand(context: UpkeepContext): Command {
  const command = new Command("empty-index").description(
    "remove the index, which the next start builds anew; webhooks stay. Stop the process that writes it first",
  );
  const run = async (config: Config) => {
    confirmIndex("empty-index", config);
    await context.emptyIndex(config);
    context.print(`the index in ${indexOf(config)} is empty`);
  };
  return configured(command, context, { keys: indexKeys, run });
}

/** The name of the index in output for the operator. */
export function indexOf(config: Config): string {
  return config.databaseUrl === undefined ? `${config.data}/index` : placeOf(config);
}
