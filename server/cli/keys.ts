import { Command, InvalidArgumentError, Option } from "commander";
import { createKey, type NewKey, revokeKey, rotateKey, setPlan } from "../access/key-commands.js";
import { changeKeyFile, confirmKeyFile, type KeyRecord, readKeyFile } from "../access/key-file.js";
import { loadConfig } from "../config/load.js";
import { keysFileOf, type Network, networks } from "../config/settings.js";
import { readDuration, readMoment } from "./duration.js";
import { addConfigOptions } from "./options.js";
import { table } from "./table.js";

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
    .addCommand(planCommand(context));
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
  type Flags = StoreFlags & { network?: Network; plan: string; label: string; expires?: Date };
  return subcommand("create")
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
      printNewKey(await changeKeyFile(store.path, (file) => createKey(file, order, now())), print);
      print(`stored in ${store.path}; a service reads it there with the same --data or --keys-file`);
      if (network !== store.network) print(`it is valid for a service with --network ${network}`);
    });
}

function listCommand(context: CommandContext): Command {
  return subcommand("list")
    .description("list all keys, without their text")
    .action((flags: StoreFlags) => {
      const { keys } = readKeyFile(existingStoreOf(flags, context));
      const rows = keys.map((key) => row(key, context.now()));
      for (const line of table([["ID", "NETWORK", "PLAN", "STATE", "CREATED", "LABEL"], ...rows]))
        context.print(line);
    });
}

function revokeCommand(context: CommandContext): Command {
  return subcommand("revoke")
    .description("revoke a key immediately")
    .argument("<id>")
    .action(async (id: string, flags: StoreFlags) => {
      const path = existingStoreOf(flags, context);
      await changeKeyFile(path, (file) => revokeKey(file, id, context.now()));
      context.print(`${id} revoked`);
    });
}

function rotateCommand(context: CommandContext): Command {
  return subcommand("rotate")
    .description("replace a key by a new one and print it")
    .argument("<id>")
    .option("--grace <duration>", "how long the old key stays valid, such as 1h", readDuration, 0)
    .action(async (id: string, flags: StoreFlags & { grace: number }) => {
      const path = existingStoreOf(flags, context);
      const made = await changeKeyFile(path, (file) => rotateKey(file, id, flags.grace, context.now()));
      printNewKey(made, context.print);
    });
}

function planCommand(context: CommandContext): Command {
  return subcommand("plan")
    .description("create or change a custom plan")
    .argument("<name>")
    .requiredOption("--rps <n>", "calls per second", readCount)
    .option("--burst <n>", "calls at once, a multiple of rps; default: rps", readCount)
    .action(async (name: string, flags: StoreFlags & { rps: number; burst?: number }) => {
      const limit = { rps: flags.rps, burst: flags.burst ?? flags.rps };
      const { path } = storeOf(flags, context);
      await changeKeyFile(path, (file) => setPlan(file, name, limit));
      context.print(`plan ${name}: ${limit.rps} calls per second, ${limit.burst} at once`);
    });
}

function printNewKey({ record, text }: NewKey, print: CommandContext["print"]): void {
  print(text);
  print(`id ${record.id}, network ${record.network}, plan ${record.plan}; the key is shown only this once`);
}

function row(key: KeyRecord, now: Date): string[] {
  return [key.id, key.network, key.plan, stateOf(key, now), key.created_at, key.label];
}

function stateOf({ revoked_at, expires_at, replaced_by }: KeyRecord, now: Date): string {
  const successor = replaced_by === undefined ? "" : `, replaced by ${replaced_by}`;
  if (revoked_at !== undefined) return `revoked ${revoked_at}`;
  if (expires_at === undefined) return "active";
  return `${Date.parse(expires_at) <= now.getTime() ? "expired" : "active until"} ${expires_at}${successor}`;
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
