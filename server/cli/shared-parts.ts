import { type Config, ConfigError } from "../config/settings.js";

/** A process that works beside others needs what all of them have in common: the database and the chain. */
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
      `tonwire ${command} needs the PostgreSQL that its fellows use: name it with --database-url or DATABASE_URL`,
    );
  if (network === "devnet" && globalConfig === undefined)
    problems.push(
      `tonwire ${command} reads a devnet that another process has: name its global configuration with --global-config; ` +
        "tonwire start --liteserver-port 0 --liteserver-config FILE writes it",
    );
  if (problems.length > 0) throw new ConfigError(problems);
}
