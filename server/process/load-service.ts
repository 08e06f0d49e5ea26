import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Config } from "../config/settings.js";
import { editionOf } from "../os/edition.js";
import { confirmDataFolder } from "./data-folder.js";
import { hasOwnDevnet, OwnDevnet } from "./own-devnet.js";
import type { Service } from "./service.js";
import { cacheFolderOf, userCacheFolder } from "./user-cache.js";
import { processCount } from "./workers/process-count.js";
import type { Supervisor } from "./workers/supervisor.js";

/** A service of one process or of several. */
type LoadedService = Omit<Service, "leave" | "report"> & { ended?: Promise<never> };

/** Creates a service. A devnet of its own starts while the service is loaded. */
export async function loadService(config: Config): Promise<LoadedService> {
  const userFolder = userCacheFolder(process.env);
  const count = processCount(config);
  const devnet = hasOwnDevnet(config) ? beginDevnet(config, userFolder) : undefined;
  if (count > 1) return supervisor(config, { count, mode: "write", devnet }, userFolder);
  const { createService } = await import("./command-parts.js");
  return createService(config, { userFolder, edition: programEdition(), devnet });
}

/** Creates a service that reads the index of another process. */
export async function loadApi(config: Config): Promise<LoadedService> {
  const userFolder = userCacheFolder(process.env);
  const count = processCount(config);
  if (count > 1) return supervisor(config, { count, mode: "read", devnet: undefined }, userFolder);
  const { createService } = await import("./command-parts.js");
  return createService(config, { userFolder }, "read");
}

async function supervisor(
  config: Config,
  plan: ConstructorParameters<typeof Supervisor>[2],
  userFolder: string | undefined,
): Promise<LoadedService> {
  const workers = await import("./workers/supervisor.js");
  return new workers.Supervisor(config, { userFolder }, plan);
}

function beginDevnet(config: Config, userFolder: string | undefined): OwnDevnet {
  // It writes to the folder before there is a context, which checks it otherwise.
  confirmDataFolder(config);
  return new OwnDevnet(config, cacheFolderOf(config, userFolder));
}

/** Names the code of the program; undefined if it was not built. */
function programEdition(): string | undefined {
  const main = new URL("../main.js", import.meta.url);
  return existsSync(fileURLToPath(main)) ? editionOf(main.href) : undefined;
}
