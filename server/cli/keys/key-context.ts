import { Command, Option } from "commander";
import { fileKeyStore } from "../../access/keys/key-file-source.js";
import type { KeyStore } from "../../access/keys/key-store.js";
import type { UsageStore } from "../../access/usage/usage.js";
import { loadConfig } from "../../config/load.js";
import { type Config, keyStoreOf, keysFileOf } from "../../config/settings.js";
import { addConfigOptions } from "../options.js";

/** Dependencies of the key commands. */
export type CommandContext = {
  env: NodeJS.ProcessEnv;
  print: (line: string) => void;
  now: () => Date;
  /** The key store in the configured database. */
  openDatabaseKeys: (config: Config) => Promise<KeyStore>;
  /** Opens the usage of keys that the configuration names. */
  openUsage: (config: Config) => Promise<UsageStore>;
};

const storeKeys = ["data", "keysFile", "keyStore", "databaseUrl"] as const;
export type StoreFlags = { config?: string } & { [Key in (typeof storeKeys)[number]]?: string };

/** Reads the configuration as the service does, so that both use the same key store. */
export function configOf(flags: StoreFlags, { env }: CommandContext): Config {
  const { config, data, keysFile, keyStore, databaseUrl } = flags;
  return loadConfig({ flags: { config, data, keysFile, keyStore, databaseUrl }, env });
}

export function openStore(
  kind: "file" | "database",
  config: Config,
  context: CommandContext,
): Promise<KeyStore> {
  return kind === "file"
    ? Promise.resolve(fileKeyStore(keysFileOf(config)))
    : context.openDatabaseKeys(config);
}

/** Uses the configured key store, and closes it. */
export async function useStore(
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
export function useExistingStore(
  flags: StoreFlags,
  context: CommandContext,
  use: (store: KeyStore) => Promise<void>,
): Promise<void> {
  return useStore(flags, context, async (store) => {
    await store.read({ needed: true });
    await use(store);
  });
}

export function subcommand(name: string): Command {
  return addConfigOptions(new Command(name), storeKeys);
}

export function forScripts(command: Command, { quiet = false } = {}): Command {
  const json = new Option("--json", "print one line of JSON");
  if (!quiet) return command.addOption(json);
  return command
    .addOption(json.conflicts("quiet"))
    .option("--quiet", "print the key alone, without the sentences after it");
}
