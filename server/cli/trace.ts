import { Command, InvalidArgumentError } from "commander";
import { readHash } from "../../shared/values/bytes.js";
import type { Config } from "../config/settings.js";
import { type ConfiguredContext, configured } from "./configured-command.js";
import { confirmIndex } from "./confirm-index.js";
import type { Terminal } from "./progress-display.js";

type Question = { hash: Uint8Array; explain: boolean };
type Style = { columns: number | undefined; hasColour: boolean };

/** A trace, as seen by the command. */
type FoundTrace = {
  otherIds: readonly string[];
  lines(style: Style): string[];
  json(): string;
};

export type TraceContext = ConfiguredContext & {
  terminal: Terminal;
  printError: (line: string) => void;
  readTrace: (config: Config, question: Question) => Promise<FoundTrace>;
};

/** `tonwire trace`: shows a trace and its actions; needs the index and no chain, and changes nothing. */
export function traceCommand(context: TraceContext): Command {
  const { env, print, printError, terminal } = context;
  const command = new Command("trace")
    .description("show a trace of the index as a tree with its actions; also while the index is written")
    .argument(
      "<hash>",
      "hash of a trace, transaction, message or action, in hex, base64 or base64url; -- before one that begins with -",
      hashOf,
    )
    .option(
      "--explain",
      "classify it again, and show for each block the pattern that took it and the patterns that did not match",
    )
    .option("--json", "print it as the method `traces` of v3 answers it, with all of its actions");
  const run = async (
    config: Config,
    { explain = false, json = false }: { explain?: boolean; json?: boolean },
  ) => {
    confirmIndex("trace", config);
    const found = await context.readTrace(config, { hash: command.processedArgs[0], explain });
    if (found.otherIds.length > 0)
      printError(
        `tonwire: the newest of ${found.otherIds.length + 1} traces; the others: ${found.otherIds.join(" ")}`,
      );
    if (json) print(found.json());
    else for (const line of found.lines(styleOf(terminal, env))) print(line);
  };
  return configured(command, context, { keys: ["data", "logLevel", "databaseUrl"], run });
}

function hashOf(text: string): Uint8Array {
  const hash = readHash(text);
  if (!hash) throw new InvalidArgumentError("Allowed: a 256-bit hash in hex, base64 or base64url.");
  return hash;
}

/** On a terminal lines are cut to its width; in a file they are not. See https://no-color.org for the variable. */
function styleOf({ isTerminal, columns }: Terminal, env: NodeJS.ProcessEnv): Style {
  const isPlain = !isTerminal || (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  return { columns: isTerminal ? columns : undefined, hasColour: !isPlain };
}
