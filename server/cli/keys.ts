import { Command, InvalidArgumentError, Option } from "commander";
import { createKey, removePlan, revokeKey, rotateKey, setPlan } from "../access/key-commands.js";
import { changeKeyFile, confirmKeyFile, readKeyFile } from "../access/key-file.js";
import { loadConfig } from "../config/load.js";
import { keysFileOf, type Network, networks } from "../config/settings.js";
import { readDuration, readMoment } from "./duration.js";
import { type OutputFlags, printKeys, printNewKey, printPlans, publicRecord } from "./key-output.js";
import { addConfigOptions } from "./options.js";

/** Dependencies of the key commands. */
export type CommandContext = {
  env: NodeJS.ProcessEnv;
  print: (line: string) => void;
  now: () => Date;
};

/** `tonwire keys`: changes the key store. A running service applies changes within a second. */
export function keysCommand(context: CommandContext): Command {
  return new Command("keys")
    .description(
      "create, list, revoke and rotate API keys; a running service applies changes within a second",
    )
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(revokeCommand(context))
    .addCommand(rotateCommand(context))
    .addCommand(planCommand(context))
    .addCommand(plansCommand(context));
}

type StoreFlags = { config?: string; data?: string; keysFile?: string };

/** Reads the configuration as the service does, so that both use the same file. */
function storeOf(flags: StoreFlags, { env }: CommandContext): { path: string; network: Network } {
  const { config, data, keysFile } = flags;
  const loaded = loadConfig({ flags: { config, data, keysFile }, env });
  return { path: keysFileOf(loaded), network: loaded.network };
}

/** The path of an existing key store; throws if there is none. */
function existingStoreOf(flags: StoreFlags, context: CommandContext): string {
  const { path } = storeOf(flags, context);
  confirmKeyFile(path);
  return path;
}

function subcommand(name: string): Command {
  return addConfigOptions(new Command(name), ["data", "keysFile"]);
}

function createCommand(context: CommandContext): Command {
  const { now, print } = context;
  type Flags = StoreFlags & OutputFlags & { network?: Network; plan: string; label: string; expires?: Date };
  return forScripts(subcommand("create"), { quiet: true })
    .description("create a key and print it once")
    .addOption(
      new Option("--network <name>", "network of the key; default: the configured one").choices(networks),
    )
    .option("--plan <name>", "standard, unlimited, or a custom plan", "standard")
    .option("--label <text>", "what the key is for", readLabel, "")
    .option(
      "--expires <when>",
      "ISO 8601 time such as 2030-12-31, or a duration such as 90d, 12h, 30m",
      (text) => readMoment(text, now()),
    )
    .action(async (flags: Flags) => {
      const store = storeOf(flags, context);
      const { network = store.network, plan, label, expires } = flags;
      const order = { network, plan, label, ...(expires && { expiresAt: expires }) };
      const made = await changeKeyFile(store.path, (file) => createKey(file, order, now()));
      const notes = [
        `stored in ${store.path}; a service reads it there with the same --data or --keys-file`,
        ...(network === store.network ? [] : [`it is valid for a service with --network ${network}`]),
      ];
      printNewKey(made, flags, { print, notes });
    });
}

function listCommand(context: CommandContext): Command {
  return forScripts(subcommand("list"))
    .description("list all keys, without their text")
    .action((flags: StoreFlags & OutputFlags) => {
      const { keys } = readKeyFile(existingStoreOf(flags, context));
      printKeys(keys, context.now(), flags, context.print);
    });
}

function revokeCommand(context: CommandContext): Command {
  return forScripts(subcommand("revoke"))
    .description("revoke a key immediately")
    .argument("<id>")
    .action(async (id: string, flags: StoreFlags & OutputFlags) => {
      const path = existingStoreOf(flags, context);
      const record = await changeKeyFile(path, (file) => revokeKey(file, id, context.now()));
      context.print(flags.json ? JSON.stringify(publicRecord(record)) : `${id} revoked`);
    });
}

function rotateCommand(context: CommandContext): Command {
  return forScripts(subcommand("rotate"), { quiet: true })
    .description("replace a key by a new one and print it")
    .argument("<id>")
    .option("--grace <duration>", "how long the old key stays valid, such as 1h", readDuration, 0)
    .action(async (id: string, flags: StoreFlags & OutputFlags & { grace: number }) => {
      const path = existingStoreOf(flags, context);
      const made = await changeKeyFile(path, (file) => rotateKey(file, id, flags.grace, context.now()));
      printNewKey(made, flags, { print: context.print, notes: [] });
    });
}

function planCommand(context: CommandContext): Command {
  type Flags = StoreFlags & OutputFlags & { rps: number; burst?: number };
  return forScripts(subcommand("plan"))
    .description("create or change a custom plan")
    .argument("<name>")
    .requiredOption("--rps <n>", "calls per second", readCount)
    .option("--burst <n>", "calls at once, a multiple of rps; default: rps", readCount)
    .action(async (name: string, flags: Flags) => {
      const limit = { rps: flags.rps, burst: flags.burst ?? flags.rps };
      const { path } = storeOf(flags, context);
      await changeKeyFile(path, (file) => setPlan(file, name, limit));
      const { rps, burst } = limit;
      context.print(
        flags.json
          ? JSON.stringify({ name, ...limit })
          : `plan ${name}: ${rps} calls per second, ${burst} at once`,
      );
    });
}

function plansCommand(context: CommandContext): Command {
  return forScripts(subcommand("plans"))
    .description("list the plans with the number of their keys, or remove a custom plan")
    .option("--remove <name>", "the plan to remove; its keys must be revoked before")
    .action(async (flags: StoreFlags & OutputFlags & { remove?: string }) => {
      const path = existingStoreOf(flags, context);
      const { remove: name, json } = flags;
      if (name === undefined) return printPlans(readKeyFile(path), flags, context.print);
      await changeKeyFile(path, (file) => removePlan(file, name));
      context.print(json ? JSON.stringify({ removed: name }) : `plan ${name} removed`);
    });
}

function forScripts(command: Command, { quiet = false } = {}): Command {
  const json = new Option("--json", "print one line of JSON");
  if (!quiet) return command.addOption(json);
  return command
    .addOption(json.conflicts("quiet"))
    .option("--quiet", "print the key alone, without the sentences after it");
}

function readLabel(text: string): string {
  // Terminal control characters in a label would take effect when the keys are listed.
  if (text.length > 200 || /\p{Cc}/u.test(text))
    throw new InvalidArgumentError("Allowed: a single line of up to 200 characters.");
  return text;
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError("Allowed: an integer from 1 to 1000000.");
  return Number(text);
}
