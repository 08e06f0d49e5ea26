import { once } from "node:events";
import { run } from "./cli/run.js";
import { createBackfill } from "./process/backfill.js";
import { createIndexer } from "./process/indexer.js";
import { createReclassification } from "./process/reclassify.js";
import { createRedetection } from "./process/redetect.js";
import { createTokenReindex } from "./process/reindex-tokens.js";
import { createService } from "./process/service.js";
import { readTrace } from "./process/trace.js";
import { userCacheFolder } from "./process/user-cache.js";
import { version } from "./process/version.js";

/** Resolves at the first signal, for a clean stop; the second signal exits immediately. */
async function stopRequested(): Promise<void> {
  await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => process.exit(1));
}

// Data, keys and logs of the service are for its user only, whatever library writes them.
process.umask(0o077);
const cacheFolder = userCacheFolder(process.env);

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  version,
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
  now: () => new Date(),
  createService: (config) => createService(config, { cacheFolder }),
  createApi: (config) => createService(config, { cacheFolder }, "read"),
  createIndexer,
  createBackfill,
  createRedetection,
  createTokenReindex,
  createReclassification,
  readTrace,
  terminal: {
    isTerminal: process.stdout.isTTY,
    get columns() {
      return process.stdout.columns;
    },
    write: (text) => void process.stdout.write(text),
  },
  stopRequested,
});
