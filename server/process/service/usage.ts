import { dirname, join } from "node:path";
import type { UsageStore } from "../../access/usage/usage.js";
import { UsageFiles } from "../../access/usage/usage-files.js";
import { type Config, keysFileOf } from "../../config/settings.js";
import { openKeysDatabase } from "./database-keys.js";
import { DatabaseUsage } from "./database-usage.js";

type Places = Pick<Config, "databaseUrl" | "data" | "keysFile">;

/** Usage by the settings: in the database; without one, in a folder beside the keys. */
export async function openUsage(config: Places): Promise<UsageStore> {
  const { databaseUrl, data } = config;
  if (databaseUrl !== undefined) return new DatabaseUsage(await openKeysDatabase(config));
  return new UsageFiles(join(data ?? dirname(keysFileOf(config)), "usage"));
}

/** The same for a service; a devnet without a folder of its own leaves no files. */
export async function openServiceUsage(config: Places & Pick<Config, "network">): Promise<UsageStore> {
  const { network, databaseUrl, data, keysFile } = config;
  const leavesNothing =
    network === "devnet" && [databaseUrl, data, keysFile].every((place) => place === undefined);
  return leavesNothing ? new UsageFiles(undefined) : openUsage(config);
}
