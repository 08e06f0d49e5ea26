import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { readIntoScratch } from "../../os/scratch.js";
import { webAssembly } from "../../os/web-assembly.js";
import { initDbStartParams } from "./empty-database.js";
import { groupJumps } from "./grouped-jumps.js";

type EngineModule = NonNullable<PGliteOptions["pgliteWasmModule"]>;

/**
 * Readers wait while a table is analysed: with the default of 100, which reads 30,000 rows of a table and of each of its
 * partitions, five seconds for 40,000 transactions. The planner needs less for an index of this size.
 */
const ofAllEngines = ["default_statistics_target=10"];

/** Starts a PGlite with settings of PostgreSQL, each as `name=value`. */
export async function startEngine(options: PGliteOptions, settings: readonly string[] = []): Promise<PGlite> {
  return PGlite.create({
    ...options,
    pgliteWasmModule: await compiledEngine(),
    initDbStartParams,
    startParams: [
      ...PGlite.defaultStartParams,
      ...[...ofAllEngines, ...settings].flatMap((setting) => ["-c", setting]),
    ],
  });
}

/** PGlite would read its WebAssembly by itself, but into memory of which much is kept. */
function compiledEngine(): Promise<EngineModule> {
  const folder = dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite"));
  const wasm = readIntoScratch(join(folder, "pglite.wasm"));
  groupJumps(wasm);
  return webAssembly.compile<EngineModule>(wasm);
}
