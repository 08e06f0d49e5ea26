import { type Config, ConfigError } from "../config/settings.js";

/**
 * Throws `ConfigError` if a command that shares its work with other processes lacks what they share: the PostgreSQL
 * database, and for a devnet the global configuration of the process that runs it.
 */
export function confirmShared(
  command: string,
  {
    network,
    globalConfig,
    index,
    databaseUrl,
  }: Pick<Config, "network" | "globalConfig" | "index" | "databaseUrl">,
): void {
  const problems: string[] = [];
  if (databaseUrl === undefined && !(command === "api" && !index))
    problems.push(
      `tonwire ${command} needs the PostgreSQL database shared with the other processes: set --database-url or DATABASE_URL`,
    );
  if (network === "devnet" && globalConfig === undefined)
    problems.push(
      `tonwire ${command} reads the devnet of another process: set --global-config to its global configuration, ` +
        "which tonwire start --liteserver-port 0 --liteserver-config FILE writes",
    );
  if (problems.length > 0) throw new ConfigError(problems);
}

/** Throws `ConfigError` if a command that works on an index has neither a database nor a folder. */
export function confirmIndex(
  command: string,
  { databaseUrl, data }: Pick<Config, "databaseUrl" | "data">,
): void {
  if (databaseUrl === undefined && data === undefined)
    throw new ConfigError([
      `tonwire ${command} needs the index: set --database-url, or --data to the folder of a service that does not run`,
    ]);
}
