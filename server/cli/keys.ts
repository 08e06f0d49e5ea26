import { Command, InvalidArgumentError, Option } from "commander";
import { ifJson } from "../../shared/values/json.js";
import {
  copyKeys,
  createKey,
  removeCopied,
  removePlan,
  revokeKey,
  rotateKey,
  setPlan,
} from "../access/keys/key-commands.js";
import { fileKeyStore } from "../access/keys/key-file-source.js";
import type { KeyStore } from "../access/keys/key-store.js";
import type { CustomPlan } from "../access/limits/plan.js";
import { loadConfig } from "../config/load.js";
import {
  type Config,
  ConfigError,
  keyStoreOf,
  keysFileOf,
  type Network,
  networks,
} from "../config/settings.js";
import { readDuration, readMoment } from "./duration.js";
import { type OutputFlags, printKeys, printNewKey, printPlans, publicRecord } from "./key-output.js";
import { addConfigOptions } from "./options.js";

/** Dependencies of the key commands. */
export type CommandContext = {
  env: NodeJS.ProcessEnv;
  print: (line: string) => void;
  now: () => Date;
  /** The key store in the configured database. */
  openDatabaseKeys: (config: Config) => Promise<KeyStore>;
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
    .addCommand(plansCommand(context))
    .addCommand(moveCommand(context));
}

const storeKeys = ["data", "keysFile", "keyStore", "databaseUrl"] as const;
type StoreFlags = { config?: string } & { [Key in (typeof storeKeys)[number]]?: string };

/** Reads the configuration as the service does, so that both use the same key store. */
function configOf(flags: StoreFlags, { env }: CommandContext): Config {
  const { config, data, keysFile, keyStore, databaseUrl } = flags;
  return loadConfig({ flags: { config, data, keysFile, keyStore, databaseUrl }, env });
}

function openStore(kind: "file" | "database", config: Config, context: CommandContext): Promise<KeyStore> {
  return kind === "file"
    ? Promise.resolve(fileKeyStore(keysFileOf(config)))
    : context.openDatabaseKeys(config);
}

/** Uses the configured key store, and closes it. */
async function useStore(
  flags: StoreFlags,
  context: CommandContext,
  use: (store: KeyStore, config: Config) => Promise<void>,
): Promise<void> {
  const config = configOf(flags, context);
  const store = await openStore(keyStoreOf(config), config, context);
  try {
    await use(store, config);
  } finally {
    await store.close();
  }
}

/** As `useStore`, but throws if there is none. */
function useExistingStore(
  flags: StoreFlags,
  context: CommandContext,
  use: (store: KeyStore) => Promise<void>,
): Promise<void> {
  return useStore(flags, context, async (store) => {
    await store.read({ needed: true });
    await use(store);
  });
}

function subcommand(name: string): Command {
  return addConfigOptions(new Command(name), storeKeys);
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
    .option("--label <text>", "purpose of the key", readLabel, "")
    .option(
      "--expires <when>",
      "ISO 8601 time such as 2030-12-31, or a duration such as 90d, 12h, 30m",
      (text) => readMoment(text, now()),
    )
    .action((flags: Flags) =>
      useStore(flags, context, async (store, config) => {
        const { network = config.network, plan, label, expires } = flags;
        const order = { network, plan, label, ...(expires && { expiresAt: expires }) };
        const made = await store.change((file) => createKey(file, order, now()));
        const sameOptions = keyStoreOf(config) === "file" ? "--data or --keys-file" : "--database-url";
        const notes = [
          `stored in ${store.place}; a service reads it there with the same ${sameOptions}`,
          ...(network === config.network ? [] : [`it is valid for a service with --network ${network}`]),
        ];
        printNewKey(made, flags, { print, notes });
      }),
    );
}

function listCommand(context: CommandContext): Command {
  return forScripts(subcommand("list"))
    .description("list all keys, without their text")
    .action((flags: StoreFlags & OutputFlags) =>
      useStore(flags, context, async (store) => {
        const { keys } = await store.read({ needed: true });
        printKeys(keys, context.now(), flags, context.print);
      }),
    );
}

function revokeCommand(context: CommandContext): Command {
  return forScripts(subcommand("revoke"))
    .description("revoke a key immediately")
    .argument("<id>")
    .action((id: string, flags: StoreFlags & OutputFlags) =>
      useExistingStore(flags, context, async (store) => {
        const record = await store.change((file) => revokeKey(file, id, context.now()));
        context.print(flags.json ? JSON.stringify(publicRecord(record)) : `${id} revoked`);
      }),
    );
}

function rotateCommand(context: CommandContext): Command {
  return forScripts(subcommand("rotate"), { quiet: true })
    .description("replace a key by a new one and print it")
    .argument("<id>")
    .option("--grace <duration>", "how long the old key stays valid, such as 1h", readDuration, 0)
    .action((id: string, flags: StoreFlags & OutputFlags & { grace: number }) =>
      useExistingStore(flags, context, async (store) => {
        const made = await store.change((file) => rotateKey(file, id, flags.grace, context.now()));
        printNewKey(made, flags, { print: context.print, notes: [] });
      }),
    );
}

function planCommand(context: CommandContext): Command {
  type Flags = StoreFlags & OutputFlags & { rps: number; burst?: number; streams?: CustomPlan["streams"] };
  return forScripts(subcommand("plan"))
    .description("create or change a custom plan")
    .argument("<name>")
    .requiredOption("--rps <n>", "calls per second", readCount)
    .option("--burst <n>", "calls at once, a multiple of rps; default: rps", readCount)
    .option(
      "--streams <json>",
      'limits of streams and webhooks, such as {"connections":100}; default: unchanged',
      readObject,
    )
    .action(async (name: string, flags: Flags) => {
      const limit = { rps: flags.rps, burst: flags.burst ?? flags.rps };
      await useStore(flags, context, (store) =>
        store.change((file) => ({ ...setPlan(file, name, limit, flags.streams), result: undefined })),
      );
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
    .action((flags: StoreFlags & OutputFlags & { remove?: string }) =>
      useStore(flags, context, async (store) => {
        const { remove: name, json } = flags;
        const file = await store.read({ needed: true });
        if (name === undefined) return printPlans(file, flags, context.print);
        await store.change((current) => removePlan(current, name));
        context.print(json ? JSON.stringify({ removed: name }) : `plan ${name} removed`);
      }),
    );
}

function moveCommand(context: CommandContext): Command {
  type Flags = StoreFlags & OutputFlags & { to: "file" | "database"; remove?: true };
  return forScripts(subcommand("move"))
    .description("copy all keys and plans from the key store in a file into the database, or back")
    .addOption(
      new Option("--to <store>", "where they are copied to")
        .choices(["file", "database"])
        .makeOptionMandatory(),
    )
    .option("--remove", "remove them from where they were: services that read them there then know no key")
    .action(async (flags: Flags) => {
      const config = configOf(flags, context);
      if (config.databaseUrl === undefined)
        throw new ConfigError(["keys can be moved with --database-url, which is not set"]);
      const { to, remove = false, json } = flags;
      const source = await openStore(to === "file" ? "database" : "file", config, context);
      const target = await openStore(to, config, context);
      try {
        const from = await source.read({ needed: true });
        const copied = await target.change((file) => copyKeys(file, from));
        if (remove) await source.change((file) => removeCopied(file, from));
        const rest = remove
          ? `${source.place} has none any more`
          : `${source.place} has them, too: once no service reads them there, --remove removes them`;
        context.print(
          json
            ? JSON.stringify({ ...copied, to, removed: remove })
            : `${copied.keys} keys and ${copied.plans} plans are in ${target.place}; ${rest}`,
        );
      } finally {
        await source.close();
        await target.close();
      }
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

function readObject(text: string): object {
  const read = ifJson(text);
  if (typeof read === "object" && read !== null && !Array.isArray(read)) return read;
  throw new InvalidArgumentError("Allowed: a JSON object.");
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError("Allowed: an integer from 1 to 1000000.");
  return Number(text);
}
