import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts a worker thread whose entry lies next to `parentUrl` (an `import.meta.url`); `name` has no extension.
 * From a source tree (tests, `npm run bench`) the entry is TypeScript, which Node 20 runs through tsx.
 */
export function startWorker(parentUrl: string, name: string, options: WorkerOptions = {}): Worker {
  if (!parentUrl.endsWith(".ts")) return new Worker(new URL(`${name}.js`, parentUrl), options);
  return new Worker(new URL(`${name}.ts`, parentUrl), {
    ...options,
    execArgv: [...(options.execArgv ?? process.execArgv), "--import", "tsx"],
  });
}
