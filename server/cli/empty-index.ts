import { Command } from "commander";
import type { Config } from "../config/settings.js";
import { type ConfiguredContext, configured } from "./configured-command.js";
import { indexOf, noIndex } from "./redetect.js";

export type EmptyContext = ConfiguredContext & { emptyIndex: (config: Config) => Promise<void> };

/** `tonwire empty-index`: removes the index, so that the next start builds it anew. */
export function emptyIndexCommand(context: EmptyContext): Command {
  const command = new Command("empty-index").description(
    "remove the index, which the next start builds anew; webhooks stay. Stop the process that writes it first",
  );
  const run = async (config: Config) => {
    if (config.databaseUrl === undefined && config.data === undefined) throw noIndex("empty-index");
    await context.emptyIndex(config);
    context.print(`the index in ${indexOf(config)} is empty`);
  };
  return configured(command, context, { keys: ["data", "logLevel", "databaseUrl"], run });
}
