import type { Config } from "../config/settings.js";
import { confirmDataFolder } from "./data-folder.js";
import { hasOwnDevnet, OwnDevnet } from "./own-devnet.js";
import { programEdition } from "./program-edition.js";
import type { Service } from "./service.js";
import { cacheFolderOf, userCacheFolder } from "./user-cache.js";

/** Creates a service. A devnet of its own starts while the service is loaded. */
export async function loadService(config: Config): Promise<Service> {
  const userFolder = userCacheFolder(process.env);
  const devnet = hasOwnDevnet(config) ? beginDevnet(config, userFolder) : undefined;
  const { createService } = await import("./parts.js");
  return createService(config, { userFolder, edition: programEdition(), devnet });
}

function beginDevnet(config: Config, userFolder: string | undefined): OwnDevnet {
  // It writes to the folder before there is a context, which checks it otherwise.
  confirmDataFolder(config);
  return new OwnDevnet(config, cacheFolderOf(config, userFolder));
}
