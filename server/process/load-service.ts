import type { Config } from "../config/settings.js";
import type { StartCache } from "../os/kept-files.js";
import { programEdition } from "../os/package-files.js";
import { confirmDataFolder } from "./data-folder.js";
import { hasOwnDevnet, OwnDevnet } from "./network/own-devnet.js";
import type { Service } from "./service/service.js";
import { startCacheOf, userCacheFolder } from "./user-cache.js";
import { processCount } from "./workers/process-count.js";
import type { Supervisor } from "./workers/supervisor.js";

/** A service of one process or of several. */
type LoadedService = Omit<Service, "leave" | "report"> & { ended?: Promise<never> };

/** Creates a service. A devnet of its own starts while the service is loaded. */
export async function loadService(config: Config): Promise<LoadedService> {
  const userFolder = userCacheFolder(process.env);
  const count = processCount(config);
  const edition = programEdition();
  const devnet = hasOwnDevnet(config)
    ? beginDevnet(config, startCacheOf(config, { userFolder, edition }))
    : undefined;
  if (count > 1) return supervisor(config, { count, mode: "write", devnet }, userFolder);
  const { createService } = await import("./command-parts.js");
  return createService(config, { userFolder, edition, devnet });
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

function beginDevnet(config: Config, cache: StartCache | undefined): OwnDevnet {
  // It writes to the folder before there is a context, which checks it otherwise.
  confirmDataFolder(config);
  return new OwnDevnet(config, cache);
}
