import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

/** Path of the entry `name` next to `parentUrl` as it was compiled; `undefined` in a source tree outside of tests. */
function compiledEntry(parentUrl: string, name: string): string | undefined {
  if (!parentUrl.endsWith(".ts")) return fileURLToPath(new URL(`${name}.js`, parentUrl));
  const folder = process.env["TONWIRE_TEST_ENTRIES"];
  return folder && join(folder, `${name}.js`);
}

/**
 * Starts a worker thread whose entry file `name` (without extension) is next to `parentUrl` (an `import.meta.url`).
 * In a source tree the entry is TypeScript: tests have compiled it before, elsewhere (`npm run bench`) Node 20 runs it
 * through tsx.
 */
export function startWorker(parentUrl: string, name: string, options: WorkerOptions = {}): Worker {
  const compiled = compiledEntry(parentUrl, name);
  if (compiled !== undefined) return new Worker(compiled, options);
  // `--import tsx` has no effect in a worker, so the worker registers tsx itself before loading its entry. Resolving
  // "tsx/esm/api" here would return its CommonJS build, which cannot register from a worker.
  const tsx = new URL("esm/api/index.mjs", pathToFileURL(createRequire(parentUrl).resolve("tsx")));
  const entry = new URL(`${name}.ts`, parentUrl);
  const start = `import("${tsx}").then(({ register }) => { register(); return import("${entry}"); })`;
  return new Worker(start, { ...options, eval: true });
}

/** The entry file `name` of a process, found as that of a worker thread, and the flags that Node needs to run it. */
export function processEntry(parentUrl: string, name: string): { exec: string; execArgv: string[] } {
  const compiled = compiledEntry(parentUrl, name);
  if (compiled !== undefined) return { exec: compiled, execArgv: [] };
  return { exec: fileURLToPath(new URL(`${name}.ts`, parentUrl)), execArgv: ["--import", "tsx"] };
}
