import { Command } from "commander";
import { type Config, ConfigError } from "../config/settings.js";
import { type ConfiguredContext, configured } from "./configured-command.js";
import { confirmShared } from "./confirm-shared.js";
import { commonKeys, placeOf } from "./index-commands.js";
import { type JobContext, runJob, type StartedJob } from "./job.js";
import { progressLine } from "./progress-display.js";

/** A running redetection, as seen by the command. */
type StartedRedetection = StartedJob & {
  progress():
    | { accounts: number; missing: number; accountsPerSec: number; remainingSec: number | undefined }
    | undefined;
};

export type RedetectContext = ConfiguredContext &
  JobContext & { createRedetection: (config: Config) => Promise<StartedRedetection> };

/** `tonwire redetect`: recognises the contracts of an index that was filled by an earlier version. */
export function redetectCommand(context: RedetectContext): Command {
  const command = new Command("redetect").description(
    "recognise the contracts of an index that an earlier version filled; also while it is written and read",
  );
  const run = async (config: Config) => {
    confirmIndex(config);
    const job = await context.createRedetection(config);
    const texts = {
      begin: `tonwire recognises the contracts of the index in ${indexOf(config)}`,
      end: () => "all accounts have been looked at",
      progress: () => progressOf(job),
    };
    await runJob(job, texts, context);
  };
  return configured(command, context, { keys: [...commonKeys, "devnetSeed"], run });
}

/** An index in a folder belongs to one process, which must not run now. */
function confirmIndex(config: Config): void {
  if (config.databaseUrl !== undefined) confirmShared("redetect", config);
  else if (config.data === undefined) throw noIndex("redetect");
}

/** The error of a command that works on an index and got no index. */
export function noIndex(command: string): ConfigError {
  return new ConfigError([
    `tonwire ${command} needs the index: set --database-url, or --data to the folder of a service that does not run`,
  ]);
}

/** The name of the index in output for the operator. */
export function indexOf(config: Config): string {
  return config.databaseUrl === undefined ? `${config.data}/index` : placeOf(config);
}

function progressOf(job: StartedRedetection): string | undefined {
  const progress = job.progress();
  if (!progress) return undefined;
  const { accounts: all, missing, accountsPerSec: perSec, remainingSec } = progress;
  return progressLine("accounts", { all, missing, perSec, remainingSec });
}
