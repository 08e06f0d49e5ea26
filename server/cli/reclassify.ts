import { Command, InvalidArgumentError } from "commander";
import { type Config, ConfigError } from "../config/settings.js";
import { type ConfiguredContext, configured } from "./configured-command.js";
import { readSeqno, readWorkers, type StartedIndexJob } from "./index-commands.js";
import { type JobContext, runJob } from "./job.js";
import { progressLine } from "./progress-display.js";
import { indexOf, noIndex } from "./redetect.js";

type Plan = { from: number; to: number; type?: string; workers: number };

export type ReclassifyContext = ConfiguredContext &
  JobContext & { createReclassification: (config: Config, plan: Plan) => Promise<StartedIndexJob> };

const lastSeqno = 0x7ffffffe;

/** `tonwire reclassify`: derives the actions of stored traces anew; needs the index and no chain. */
export function reclassifyCommand(context: ReclassifyContext): Command {
  const command = new Command("reclassify")
    .description("derive the actions of stored traces anew; also while the index is written and read")
    .option("--from <seqno>", "the first masterchain block whose traces are taken", readSeqno, 1)
    .option("--to <seqno>", "the last one", readSeqno, lastSeqno)
    .option("--type <type>", "only traces that have an action of this type", readType)
    .option("--workers <number>", "threads that classify", readWorkers, 1);
  const run = async (config: Config, { from, to, type, workers }: Plan) => {
    if (config.databaseUrl === undefined && config.data === undefined) throw noIndex("reclassify");
    if (from > to) throw new ConfigError([`--from is ${from}; allowed: at most ${to}, the value of --to`]);
    const job = await context.createReclassification(config, {
      from,
      to,
      workers,
      ...(type !== undefined && { type }),
    });
    const progress = () => {
      const reached = job.progress();
      if (!reached) return undefined;
      const { blocks: all, missing, blocksPerSec: perSec, remainingSec } = reached;
      return progressLine("blocks", { all, missing, perSec, remainingSec });
    };
    const begin = `tonwire classifies the traces of the index in ${indexOf(config)}`;
    await runJob(job, { begin, end: () => "all traces are classified", progress }, context);
  };
  return configured(command, context, { keys: ["data", "logLevel", "databaseUrl"], run });
}

function readType(text: string): string {
  if (!/^[a-z0-9_]{1,60}$/.test(text))
    throw new InvalidArgumentError("Allowed: a type of actions, such as jetton_swap.");
  return text;
}
