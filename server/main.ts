#!/usr/bin/env node
import { once } from "node:events";
import { createBackfill } from "./backfill-job.js";
import { run } from "./cli/run.js";
import { createIndexer } from "./index-process.js";
import { createService } from "./service.js";
import { version } from "./version.js";

/** The first signal asks for a clean stop, the second ends the process where it stands. */
async function stopRequested(): Promise<void> {
  await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => process.exit(1));
}

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  version,
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
  now: () => new Date(),
  createService,
  createApi: (config) => createService(config, {}, "read"),
  createIndexer,
  createBackfill,
  terminal: {
    isTerminal: process.stdout.isTTY,
    write: (text) => void process.stdout.write(text),
  },
  stopRequested,
});
