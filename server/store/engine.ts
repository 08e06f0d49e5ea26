import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { readIntoScratch } from "../os/scratch.js";
import { initDbStartParams } from "./empty-database.js";

type EngineModule = NonNullable<PGliteOptions["pgliteWasmModule"]>;
// Declared here because neither the ES library nor Node's types know the global.
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<EngineModule> };

/** Starts a PGlite with settings of PostgreSQL, each as `name=value`. */
export async function startEngine(options: PGliteOptions, settings: readonly string[] = []): Promise<PGlite> {
  return PGlite.create({
    ...options,
    pgliteWasmModule: await compiledEngine(),
    initDbStartParams,
    startParams: [...PGlite.defaultStartParams, ...settings.flatMap((setting) => ["-c", setting])],
  });
}

/** PGlite would read its WebAssembly by itself, but into memory of which much is kept. */
function compiledEngine(): Promise<EngineModule> {
  const folder = dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite"));
  return WebAssembly.compile(readIntoScratch(join(folder, "pglite.wasm")));
}
