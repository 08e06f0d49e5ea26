import { run } from "./cli/run.js";
import { loadService } from "./process/load-service.js";
import { outliveTerminal, stopRequested } from "./process/stop-signals.js";
import { userCacheFolder } from "./process/user-cache.js";
import { version } from "./process/version.js";

// Data, keys and logs of the service are for its user only, whatever library writes them.
process.umask(0o077);
outliveTerminal();
const userFolder = userCacheFolder(process.env);
/** Most of the program. */
const parts = () => import("./process/parts.js");

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  version,
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
  now: () => new Date(),
  createService: loadService,
  createApi: async (config) => (await parts()).createService(config, { userFolder }, "read"),
  createIndexer: async (config) => (await parts()).createIndexer(config, { userFolder }),
  createBackfill: async (config, plan) => (await parts()).createBackfill(config, plan, { userFolder }),
  createRedetection: async (config) => (await parts()).createRedetection(config, { userFolder }),
  createTokenReindex: async (config) => (await parts()).createTokenReindex(config),
  createReclassification: async (config, plan) => (await parts()).createReclassification(config, plan),
  emptyIndex: async (config) => (await parts()).emptyStoredIndex(config),
  readTrace: async (config, question) => (await parts()).readTrace(config, question),
  terminal: {
    isTerminal: process.stdout.isTTY,
    get columns() {
      return process.stdout.columns;
    },
    write: (text) => void process.stdout.write(text),
  },
  stopRequested,
});
