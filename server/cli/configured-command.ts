import type { Command } from "commander";
import { loadConfig, printConfig } from "../config/load.js";
import type { Config } from "../config/settings.js";
import { addConfigOptions } from "./options.js";

export type ConfiguredContext = { env: NodeJS.ProcessEnv; print: (line: string) => void };
type Flags = Record<string, string> & { printConfig?: true };

/** Runs a command with its configuration and its own options; `reread` reads the configuration again. */
type Run<Own> = (config: Config, own: Own, reread: () => Config) => Promise<void>;

/** Adds the flags of the given settings to a command. The configuration is merged from flags, environment and file. */
export function configured<Own extends object>(
  command: Command,
  { env, print }: ConfiguredContext,
  { keys, run }: { keys: readonly (keyof Config)[]; run: Run<Own> },
): Command {
  return addConfigOptions(command, keys)
    .option("--print-config", "print the effective configuration with secrets masked, and exit")
    .action(async () => {
      // Commands can have arguments, which come first in what the action is called with.
      const { printConfig: printOnly, ...flags } = command.opts<Flags>();
      const read = () => loadConfig({ flags, env });
      const config = read();
      if (printOnly) print(printConfig(config));
      else await run(config, flags as unknown as Own, read);
    });
}
