import { Command, CommanderError } from "commander";
import { itemAt } from "../../shared/values/lookups.js";
import { KeyStoreError } from "../access/keys/key-file.js";
import { ConfigError } from "../config/settings.js";
import { failureText, isSetupError, ServiceError } from "../errors.js";
import { type AbiContext, abiCommand } from "./abi.js";
import { CommandStatus } from "./command-status.js";
import { type DebugContext, debugCommand } from "./debug.js";
import { backfillCommand, type IndexContext, indexCommand } from "./index-commands.js";
import type { CommandContext } from "./keys/key-context.js";
import { keysCommand } from "./keys/keys.js";
import { type McpContext, mcpCommand } from "./mcp.js";
import type { MethodGroup } from "./method-commands.js";
import { type NewContext, newCommand } from "./new.js";
import { type SnapshotContext, snapshotCommands } from "./snapshot-commands.js";
import { addStart, apiCommand, type StartContext } from "./start.js";
import { type TraceContext, traceCommand } from "./trace.js";
import { type TypesContext, typesCommand } from "./types.js";
import { type UpkeepContext, upkeepCommands } from "./upkeep-commands.js";

export type Context = StartContext &
  IndexContext &
  UpkeepContext &
  SnapshotContext &
  TraceContext &
  AbiContext &
  DebugContext &
  TypesContext &
  NewContext &
  McpContext &
  CommandContext & {
    version: string;
  };

/**
 * Runs the command line and returns the exit code: 0 success, 1 failure, 2 invalid configuration or usage, and others that a
 * command's help tells.
 */
export async function run(args: readonly string[], context: Context): Promise<number> {
  try {
    await (await program(args, context)).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommandStatus) return error.code;
    // Commander has already printed its message. Asking for help or the version is a success.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof ConfigError) {
      for (const problem of error.problems) context.printError(`tonwire: ${problem}`);
      return 2;
    }
    context.printError(`tonwire: ${describe(error)}`);
    return 1;
  }
}

async function program(args: readonly string[], context: Context): Promise<Command> {
  const root = new Command("tonwire")
    .description("HTTP, JSON-RPC and WebSocket access to the TON blockchain")
    .version(context.version, "--version", "print the version")
    .addHelpText("after", "\nWithout a command, `start` is run; `tonwire start --help` lists its settings.");
  root
    .command("start", { isDefault: true })
    .description("start everything in one process (the default command)");
  addStart(itemAt(root.commands, 0), context);
  root.addCommand(apiCommand(context));
  root.addCommand(indexCommand(context));
  root.addCommand(backfillCommand(context));
  for (const command of upkeepCommands(context)) root.addCommand(command);
  for (const command of snapshotCommands(context)) root.addCommand(command);
  root.addCommand(traceCommand(context));
  root.addCommand(debugCommand(context));
  root.addCommand(abiCommand(context));
  root.addCommand(typesCommand(context));
  root.addCommand(newCommand(context));
  root.addCommand(mcpCommand(context));
  root.addCommand(keysCommand(context));
  const devnet = new Command("devnet").description(
    "control a running devnet: each method devnet.* is a command, with its parameters as arguments and options",
  );
  // Loading the definitions takes longer than everything else before a start.
  if (args.includes("devnet")) {
    const { devnetMethods } = await import("../../shared/methods/devnet.js");
    await addCommands(devnet, { prefix: "devnet", methods: devnetMethods }, context);
  }
  root.addCommand(devnet);
  const webhooks = new Command("webhooks").description(
    "create and change the webhooks of a key of a running service: each method v3.webhooks.* is a command",
  );
  if (args.includes("webhooks")) {
    const { webhookMethods } = await import("../../shared/methods/v3/webhooks.js");
    await addCommands(webhooks, { prefix: "v3.webhooks", methods: webhookMethods }, context);
  }
  root.addCommand(webhooks);
  for (const command of allOf(root)) {
    command.exitOverride();
    command.configureOutput({
      writeOut: (text) => context.print(text.trimEnd()),
      writeErr: (text) => context.printError(text.trimEnd()),
    });
  }
  return root;
}

async function addCommands(root: Command, group: MethodGroup, context: Context): Promise<void> {
  (await import("./method-commands.js")).addMethodCommands(root, group, context);
}

function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allOf)];
}

/** The message for expected errors; the stack for defects. */
function describe(error: unknown): string {
  if (error instanceof KeyStoreError || isSetupError(error)) return error.message;
  if (error instanceof ServiceError) return failureText(error);
  if (error instanceof Error && "syscall" in error) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
