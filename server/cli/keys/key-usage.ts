import { type Command, Option } from "commander";
import { rangeOf, readUsage } from "../../access/usage/usage.js";
import { type CommandContext, configOf, type StoreFlags, subcommand } from "./key-context.js";
import { type OutputFlags, printUsage } from "./key-output.js";

export function usageCommand(context: CommandContext): Command {
  type Flags = StoreFlags & OutputFlags & { from?: string; to?: string; key?: string; csv?: true };
  return subcommand("usage")
    .description("show what keys used by day (UTC), by the first of the keys that replaced one another")
    .option("--from <day>", "first day, such as 2030-01-31; default: the first of the month of --to")
    .option("--to <day>", "last day; default: today")
    .option("--key <id>", "this key only")
    .addOption(new Option("--csv", "print CSV").conflicts("json"))
    .addOption(new Option("--json", "print one line of JSON"))
    .action(async (flags: Flags) => {
      const { from, to, key, csv = false, json = false } = flags;
      const config = configOf(flags, context);
      const range = rangeOf({ from, to, key }, context.now().getTime());
      const usage = await context.openUsage(config);
      try {
        printUsage(await readUsage(usage, range), { csv, json }, context.print);
      } finally {
        await usage.close();
      }
    });
}
