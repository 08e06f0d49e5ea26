import { Command } from "commander";
import type { Config } from "../config/settings.js";
import { type ConfiguredContext, configured } from "./configured-command.js";
import type { StartedIndexJob } from "./index-commands.js";
import { type JobContext, runJob } from "./job.js";
import { progressLine } from "./progress-display.js";
import { indexOf, noIndex } from "./redetect.js";

export type ReindexContext = ConfiguredContext &
  JobContext & { createTokenReindex: (config: Config) => Promise<StartedIndexJob> };

/** `tonwire reindex-tokens`: adds the token events of stored transactions; needs the index and no chain. */
export function reindexTokensCommand(context: ReindexContext): Command {
  const command = new Command("reindex-tokens").description(
    "add missing transfers and burns of known jetton wallets and NFT items, from stored transactions",
  );
  const run = async (config: Config) => {
    if (config.databaseUrl === undefined && config.data === undefined) throw noIndex("reindex-tokens");
    const job = await context.createTokenReindex(config);
    const progress = () => {
      const reached = job.progress();
      if (!reached) return undefined;
      const { blocks: all, missing, blocksPerSec: perSec, remainingSec } = reached;
      return progressLine("blocks", { all, missing, perSec, remainingSec });
    };
    const begin = `tonwire adds token events to the index in ${indexOf(config)}`;
    await runJob(job, { begin, end: () => "no token event is missing", progress }, context);
  };
  return configured(command, context, { keys: ["data", "logLevel", "databaseUrl"], run });
}
