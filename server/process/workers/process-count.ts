import { availableParallelism } from "node:os";
import { type Config, ConfigError } from "../../config/settings.js";
import { isLoopbackName } from "../../os/loopback.js";

/**
 * How many processes answer calls. Throws `ConfigError` if several would need the embedded database, which one process
 * opens.
 */
export function processCount(
  { processes, index, databaseUrl }: Pick<Config, "processes" | "index" | "databaseUrl">,
  cores: number = availableParallelism(),
): number {
  const isEmbedded = index && databaseUrl === undefined;
  if (processes === "auto") {
    if (isEmbedded) return 1;
    return Math.max(1, index && isOnThisMachine(databaseUrl!) ? cores - 1 : cores);
  }
  if (processes > 1 && isEmbedded)
    throw new ConfigError([
      `--processes ${processes} needs a PostgreSQL database that the processes share: set --database-url or DATABASE_URL, or --index false`,
    ]);
  return processes;
}

/** A host that is empty or a folder stands for a socket of this machine; so does the parameter `host`. */
function isOnThisMachine(databaseUrl: string): boolean {
  const url = new URL(databaseUrl);
  const host = url.searchParams.get("host") ?? decodeURIComponent(url.hostname);
  return host === "" || host.startsWith("/") || isLoopbackName(host);
}
