import { Command, InvalidArgumentError } from "commander";
import { readHash } from "../../shared/values/bytes.js";
import type { Config } from "../config/settings.js";
import { SetupError } from "../errors.js";
import { addServiceOptions, callService, type ServiceFlags } from "./call-service.js";
import { type ConfiguredContext, configured } from "./configured-command.js";
import { confirmIndex } from "./confirm-index.js";
import type { Terminal } from "./progress-display.js";

/** `ask`: calls the service that answers instead of the index. */
type Question = {
  hash: Uint8Array;
  explain: boolean;
  ask?: ((method: string, params: object) => Promise<unknown>) | undefined;
};
type Flags = ServiceFlags & { explain?: boolean; json?: boolean };
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

/** `tonwire trace`: shows a trace and its actions; needs the index or a service, and no chain, and changes nothing. */
export function traceCommand(context: TraceContext): Command {
  const { env, print, printError, terminal } = context;
  const command = new Command("trace")
    .description(
      "show a trace of the index, or of a running service, as a tree with its actions; also while the index is written",
    )
    .argument(
      "<hash>",
      "hash of a trace, transaction, message or action, in hex, base64 or base64url; -- before one that begins with -",
      hashOf,
    )
    .option(
      "--explain",
      "classify it again, and show for each block the pattern that took it and the patterns that did not match; not with --url",
    )
    .option("--json", "print it as the method `traces` of v3 answers it, with all of its actions");
  addServiceOptions(command, "URL of a running service: show its trace instead of that of an index");
  const run = async (config: Config, { explain = false, json = false, ...service }: Flags) => {
    const ask = asking(service, explain, context);
    if (!ask) confirmIndex("trace", config);
    const found = await context.readTrace(config, { hash: command.processedArgs[0], explain, ask });
    if (found.otherIds.length > 0)
      printError(
        `tonwire: the newest of ${found.otherIds.length + 1} traces; the others: ${found.otherIds.join(" ")}`,
      );
    if (json) print(found.json());
    else for (const line of found.lines(styleOf(terminal, env))) print(line);
  };
  return configured(command, context, { keys: ["data", "logLevel", "databaseUrl"], run });
}

function asking(service: ServiceFlags, explain: boolean, context: TraceContext): Question["ask"] {
  if (service.url === undefined) return undefined;
  if (explain)
    throw new SetupError(
      "no method of a service explains a trace: use --explain where its index is, with --database-url or --data",
    );
  return (method, params) => callService(method, { ...params }, service, context);
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
