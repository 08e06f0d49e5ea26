import type { Config } from "../config/settings.js";
import { confirmDataFolder } from "./data-folder.js";
import { hasOwnDevnet, OwnDevnet } from "./own-devnet.js";
import { programEdition } from "./program-edition.js";
import type { Service } from "./service.js";
import { cacheFolderOf, userCacheFolder } from "./user-cache.js";

/** Creates a service. A devnet of its own starts while the service is loaded. */
export async function loadService(config: Config): Promise<Service> {
  confirmDataFolder(config);
  const userFolder = userCacheFolder(process.env);
  const devnet = hasOwnDevnet(config) ? new OwnDevnet(config, cacheFolderOf(config, userFolder)) : undefined;
  const { createService } = await import("./parts.js");
  return createService(config, { userFolder, edition: programEdition(), devnet });
}
