import { run } from "./cli/run.js";
import { loadApi, loadService } from "./process/load-service.js";
import { version } from "./process/service/version.js";
import { outliveTerminal, stopRequested } from "./process/stop-signals.js";
import { userCacheFolder } from "./process/user-cache.js";

// Data, keys and logs of the service are for its user only, also files that libraries write.
const usualMask = process.umask(0o077);
outliveTerminal();
const userFolder = userCacheFolder(process.env);
/** Most of the program. */
const parts = () => import("./process/command-parts.js");

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  version,
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
  now: () => new Date(),
  createService: loadService,
  createApi: loadApi,
  createIndexer: async (config) => (await parts()).createIndexer(config, { userFolder }),
  createBackfill: async (config, plan) => (await parts()).createBackfill(config, plan, { userFolder }),
  createBootstrap: async (config, plan) => (await parts()).createBootstrap(config, plan, { userFolder }),
  createRedetection: async (config) => (await parts()).createRedetection(config, { userFolder }),
  createTokenReindex: async (config) => (await parts()).createTokenReindex(config),
  createReclassification: async (config, plan) => (await parts()).createReclassification(config, plan),
  createDayExport: async (config, plan) => (await parts()).createDayExport(config, plan),
  createExport: async (config, folder) => (await parts()).createExport(config, folder),
  createImport: async (config, plan) => (await parts()).createImport(config, plan, { userFolder }),
  openUsage: async (config) => (await parts()).openUsage(config),
  openDatabaseKeys: async (config) => (await parts()).openDatabaseKeys(config),
  migrateIndex: async (config, plan) => (await parts()).migrateIndex(config, plan),
  emptyIndex: async (config) => (await parts()).emptyStoredIndex(config),
  readArtifacts: async (config) => (await parts()).readArtifacts(config),
  writeTypes: async (files) => (await parts()).writeTypes(files),
  recompile: async (folder, codeHashes) => (await parts()).recompileProject(folder, codeHashes),
  serveDebugger: async (plan) =>
    (await import("./process/jobs/serve-debugger.js")).serveDebugger(plan, {
      env: process.env,
      print: (line) => console.log(line),
      printError: (line) => console.error(line),
      stopRequested,
    }),
  async writeProject(...of) {
    process.umask(usualMask);
    return (await parts()).writeProject(...of);
  },
  readTrace: async (config, question) => (await parts()).readTrace(config, question),
  serveModels: async (plan) =>
    (await import("./process/workers/serve-models.js")).serveModels(plan, {
      printError: (line) => console.error(line),
      stopRequested,
    }),
  terminal: {
    isTerminal: process.stdout.isTTY,
    get columns() {
      return process.stdout.columns;
    },
    write: (text) => void process.stdout.write(text),
  },
  stopRequested,
});
