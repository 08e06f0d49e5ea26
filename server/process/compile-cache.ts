import * as nodeModule from "node:module";
import { isAbsolute, join } from "node:path";
import { userCacheFolder } from "./user-cache.js";

/** Node 22.8 and later. */
type Compiler = { enableCompileCache?: (folder: string) => unknown };

/** Makes Node cache the compiled form of modules loaded from now on, unless caching is off. */
export function useCompileCache(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  { enableCompileCache }: Compiler = nodeModule as Compiler,
): void {
  // Settings are not read yet. Misreading one here costs only the time that the cache would save.
  const isElsewhere = args.some((arg) => arg === "--cache" || arg.startsWith("--cache="));
  const chosen = env["TONWIRE_CACHE"];
  const folder = chosen === undefined ? userCacheFolder(env) : chosen;
  if (isElsewhere || folder === undefined || !isAbsolute(folder)) return;
  enableCompileCache?.(join(folder, "code"));
}
