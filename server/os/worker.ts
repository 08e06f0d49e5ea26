import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts a worker thread whose entry file `name` (without extension) is next to `parentUrl` (an `import.meta.url`).
 * In a source tree the entry is TypeScript: tests have compiled it before, elsewhere (`npm run bench`) Node 20 runs it
 * through tsx.
 */
export function startWorker(parentUrl: string, name: string, options: WorkerOptions = {}): Worker {
  if (!parentUrl.endsWith(".ts")) return new Worker(new URL(`${name}.js`, parentUrl), options);
  const compiled = process.env["TONWIRE_TEST_ENTRIES"];
  if (compiled !== undefined) return new Worker(join(compiled, `${name}.js`), options);
  // `--import tsx` has no effect in a worker, so the worker registers tsx itself before loading its entry. Resolving
  // "tsx/esm/api" here would return its CommonJS build, which cannot register from a worker.
  const tsx = new URL("esm/api/index.mjs", pathToFileURL(createRequire(parentUrl).resolve("tsx")));
  const entry = new URL(`${name}.ts`, parentUrl);
  const start = `import("${tsx}").then(({ register }) => { register(); return import("${entry}"); })`;
  return new Worker(start, { ...options, eval: true });
}
