import { loadRedis } from "../../access/shared-redis.js";
import { type Config, ConfigError } from "../../config/settings.js";
import { type Bus, databaseBus } from "../../indexer/follow/bus.js";
import type { Database } from "../../store/database.js";
import { indexChannel, readDatabaseId } from "../../store/queries/upkeep/index-version.js";
import type { Context } from "../context/context.js";
import { RedisBus } from "./redis-bus.js";

const statementTimeoutMs = 10_000;

/** Throws `ConfigError` if the configured bus lacks something. */
export async function confirmBus({ bus, redisUrl, databaseUrl }: Config): Promise<void> {
  if (bus === "database") return;
  if (redisUrl === undefined) throw new ConfigError(["--bus redis needs --redis-url"]);
  if (databaseUrl === undefined)
    throw new ConfigError(["--bus redis is for the processes of one --database-url, which is not set"]);
  await loadRedis();
}

/** The bus among the processes of the index in a database. */
export async function openBus(
  { config, log, redisTimeoutMs }: Pick<Context, "config" | "log" | "redisTimeoutMs">,
  database: Database,
): Promise<Bus> {
  const { bus, redisUrl } = config;
  if (bus === "database" || redisUrl === undefined) return databaseBus(database);
  const id = await readDatabaseId(database.sql({ connections: 1, statementTimeoutMs }));
  return RedisBus.open({ redisUrl, prefix: `tonwire:${id}`, log, timeoutMs: redisTimeoutMs });
}

/** Commits notify the database only, so processes that write the index pass these on. */
export function relayOver(bus: Bus, config: Pick<Config, "bus">): ((text: string) => void) | undefined {
  if (config.bus === "database") return undefined;
  return (text) => {
    // The bus reports its failures, and what is lost is found in the database.
    bus.publish(indexChannel, [text]).catch(() => {});
  };
}
