import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts a worker thread whose entry lies next to `parentUrl` (an `import.meta.url`); `name` has no extension.
 * From a source tree (tests, `npm run bench`) the entry is TypeScript, which Node 20 runs through tsx.
 */
export function startWorker(parentUrl: string, name: string, options: WorkerOptions = {}): Worker {
  if (!parentUrl.endsWith(".ts")) return new Worker(new URL(`${name}.js`, parentUrl), options);
  // `--import tsx` registers nothing in a worker, so the worker does it itself before it loads its entry. Resolving
  // "tsx/esm/api" here would give its CommonJS form, which cannot register from a worker.
  const tsx = new URL("esm/api/index.mjs", pathToFileURL(createRequire(parentUrl).resolve("tsx")));
  const entry = new URL(`${name}.ts`, parentUrl);
  const start = `import("${tsx}").then(({ register }) => { register(); return import("${entry}"); })`;
  return new Worker(start, { ...options, eval: true });
}
