import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Config } from "../config/settings.js";
import type { StartCache } from "../os/kept-files.js";
import { unlessRefused } from "../os/unless-refused.js";

/** The folder in which programs of this user keep what they can make again; undefined if there is none. */
export function userCacheFolder(
  env: NodeJS.ProcessEnv,
  platform = process.platform,
  homeOfUser = homedir,
): string | undefined {
  const chosen = platform === "win32" ? env["LOCALAPPDATA"] : env["XDG_CACHE_HOME"];
  // By the XDG specification, relative paths do not count.
  if (chosen !== undefined && isAbsolute(chosen)) return join(chosen, "tonwire");
  if (platform === "win32") return undefined;
  // A user of a container may be unknown to the system, which then has no answer.
  const home = env["HOME"] ?? unlessRefused(homeOfUser);
  if (home === undefined || !isAbsolute(home)) return undefined;
  return join(home, ...(platform === "darwin" ? ["Library", "Caches"] : [".cache"]), "tonwire");
}

/** The folder that a process keeps such things in: settings come before the user's folder. */
export function cacheFolderOf({ cache }: Config, userFolder: string | undefined): string | undefined {
  return cache === "off" ? undefined : (cache ?? userFolder);
}

/** The same for what depends on the code; code without an edition keeps nothing. */
export function startCacheOf(
  config: Config,
  { userFolder, edition }: { userFolder?: string | undefined; edition?: string | undefined },
): StartCache | undefined {
  const folder = cacheFolderOf(config, userFolder);
  return folder === undefined || edition === undefined ? undefined : { folder, edition };
}
