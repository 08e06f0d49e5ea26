import { Command } from "commander";
import type { Config } from "../config/settings.js";
import { SetupError } from "../errors.js";
import { type ConfiguredContext, configured } from "./configured-command.js";
import { table } from "./table.js";

/** What the configured folder and catalogue have. */
type FoundArtifacts = {
  readonly problems: readonly string[];
  rows(): string[][];
  describe(wanted: string): string[];
};

export type AbiContext = ConfiguredContext & {
  printError: (line: string) => void;
  readArtifacts: (config: Config) => Promise<FoundArtifacts>;
};

const keys = ["artifacts", "abiCatalog"] as const;

/** `tonwire abi`: shows the ABIs that a service with these settings has, and changes nothing. */
export function abiCommand(context: AbiContext): Command {
  return new Command("abi")
    .description("show the ABIs in a folder of artifacts and in a catalogue")
    .addCommand(listCommand(context))
    .addCommand(showCommand(context));
}

function listCommand(context: AbiContext): Command {
  const command = new Command("list").description("list contracts with their code hashes and files");
  const run = async (config: Config) => {
    const found = await read(config, context);
    for (const line of table([["contract", "format", "trust", "code hash", "file"], ...found.rows()]))
      context.print(line);
  };
  return configured(command, context, { keys, run });
}

function showCommand(context: AbiContext): Command {
  const command = new Command("show")
    .description("show the messages, storage, get-methods and errors of a contract")
    .argument("<contract>", "its name, file, or code hash in base64");
  const run = async (config: Config) => {
    const [wanted] = command.processedArgs as [string];
    const lines = (await read(config, context)).describe(wanted);
    if (lines.length === 0) throw new SetupError(`there is no ABI of ${wanted}; tonwire abi list shows them`);
    for (const line of lines) context.print(line);
  };
  return configured(command, context, { keys, run });
}

async function read(config: Config, { readArtifacts, printError }: AbiContext): Promise<FoundArtifacts> {
  const found = await readArtifacts(config);
  for (const problem of found.problems) printError(`tonwire: ${problem}`);
  return found;
}
