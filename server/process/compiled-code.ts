import * as nodeModule from "node:module";
import { isAbsolute, join } from "node:path";
import { userCacheFolder } from "./user-cache.js";

/** Node 22.8 and later. */
type Compiler = { enableCompileCache?: (folder: string) => unknown };

/** Has Node keep the compiled form of what is loaded from now on, unless nothing is to be kept. */
export function keepCompiledCode(
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  { enableCompileCache }: Compiler = nodeModule as Compiler,
): void {
  // Settings are read later; one that is not understood here costs no more than the time that this saves.
  const isElsewhere = args.some((arg) => arg === "--cache" || arg.startsWith("--cache="));
  const chosen = env["TONWIRE_CACHE"];
  const folder = chosen === undefined ? userCacheFolder(env) : chosen;
  if (isElsewhere || folder === undefined || !isAbsolute(folder)) return;
  enableCompileCache?.(join(folder, "code"));
}
