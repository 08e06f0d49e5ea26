import { readFileSync } from "node:fs";
import { Command } from "commander";
import type { z } from "zod";
import type { artifact } from "../../shared/schema/v3/artifacts.js";
import { claimedText } from "../../shared/text/claimed-text.js";
import type { Config } from "../config/settings.js";
import { SetupError } from "../errors.js";
import { addServiceOptions, callService, type ServiceFlags } from "./call-service.js";
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

/** `tonwire abi`: shows the ABIs that a service with these settings has, and adds some to a running service. */
export function abiCommand(context: AbiContext): Command {
  return new Command("abi")
    .description(
      "show the ABIs in a folder of artifacts and in a catalogue, or add some to a running service",
    )
    .addCommand(listCommand(context))
    .addCommand(showCommand(context))
    .addCommand(addCommand(context));
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

function addCommand(context: AbiContext): Command {
  const command = new Command("add")
    .description(
      "send ABIs, outputs of compilers and compiled contracts to a running service (v3.debug.artifacts.add)",
    )
    .argument("<files...>", "the files, of at most 1 MiB each; a folder of longer ones is for --artifacts");
  return addServiceOptions(command).action(async () => {
    const [paths] = command.processedArgs as [string[]];
    const added: z.output<typeof artifact>[] = [];
    for (const path of paths) {
      const files = [{ file: path, content: textOf(path) }];
      const answer = await callService(
        "v3.debug.artifacts.add",
        { files },
        command.opts<ServiceFlags>(),
        context,
      );
      added.push(...(answer as { artifacts: typeof added }).artifacts);
    }
    const rows = added.map(({ contract, format, code_hashes, file }) => [
      ...[claimedText(contract), format, code_hashes[0] ?? "-", file],
    ]);
    for (const line of table([["contract", "format", "code hash", "file"], ...rows])) context.print(line);
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new SetupError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

async function read(config: Config, { readArtifacts, printError }: AbiContext): Promise<FoundArtifacts> {
  const found = await readArtifacts(config);
  for (const problem of found.problems) printError(`tonwire: ${problem}`);
  return found;
}
