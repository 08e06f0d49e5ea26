import { readFileSync } from "node:fs";
import { Command } from "commander";
import type { z } from "zod";
import type { artifact } from "../../shared/schema/v3/artifacts.js";
import { claimedText } from "../../shared/values/claimed-text.js";
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
/** Characters of a file's name, by which it is removed. */
const maxLine = 400;

type Added = z.output<typeof artifact>;

/** `tonwire abi`: shows the ABIs that a service with these settings has, and changes those of a running service. */
export function abiCommand(context: AbiContext): Command {
  return new Command("abi")
    .description(
      "show the ABIs in a folder of artifacts and in a catalogue, or add some to a running service, and remove them",
    )
    .addCommand(listCommand(context))
    .addCommand(showCommand(context))
    .addCommand(addCommand(context))
    .addCommand(removeCommand(context));
}

function listCommand(context: AbiContext): Command {
  const command = addServiceOptions(
    new Command("list").description("list contracts with their code hashes and files"),
    "URL of a running service: list what was added to it with the key (v3.debug.artifacts.list)",
  );
  const run = async (config: Config, flags: ServiceFlags) => {
    if (flags.url !== undefined) {
      const answer = await callService("v3.debug.artifacts.list", {}, flags, context);
      return printAdded((answer as { artifacts: Added[] }).artifacts, context);
    }
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
    const added: Added[] = [];
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
    printAdded(added, context);
  });
}

function removeCommand(context: AbiContext): Command {
  const command = new Command("remove")
    .description("remove added files from a running service (v3.debug.artifacts.remove)")
    .argument("<files...>", "their names, as tonwire abi list --url shows them");
  return addServiceOptions(command).action(async () => {
    const [files] = command.processedArgs as [string[]];
    const flags = command.opts<ServiceFlags>();
    const unknown: string[] = [];
    for (const file of files)
      if (!(await callService("v3.debug.artifacts.remove", { file }, flags, context))) unknown.push(file);
    if (unknown.length > 0) throw new SetupError(`the service has no such file: ${unknown.join(", ")}`);
  });
}

/** Files that a running service was sent. */
function printAdded(added: readonly Added[], { print }: Pick<AbiContext, "print">): void {
  const rows = added.map(({ contract, format, code_hashes, file }) => [
    ...[claimedText(contract), format, code_hashes[0] ?? "-", claimedText(file, maxLine)],
  ]);
  for (const line of table([["contract", "format", "code hash", "file"], ...rows])) print(line);
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
