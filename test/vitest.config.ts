import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { v8Flags } from "./helpers/v8-flags.js";
import { LongFirst } from "./long-first.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const short = "test/**/*.test.ts";
const long = "test/**/*.long.ts";

/** Suites of which `npm test` makes a part only, with fewer rounds or on one kind of database, import one of these. */
const inParts =
  /^import \{[^}]*\b(sized|isLong|variants|describeDatabases|databaseKinds|describeStory|describeContracts)\b[^}]*\} from "[./]+helpers\//m;

function suitesInParts(): string[] {
  return readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => join("test", path))
    .filter((path) => inParts.test(readFileSync(join(root, path), "utf8")));
}

/** `npm test` has no mode. `--mode long` runs the suites that it leaves out, `--mode all` both in one run. */
function suitesOf(mode: string): string[] {
  if (mode === "languages") return ["test/languages/**/*.languages.ts"];
  if (mode === "all") return [short, long];
  return mode === "long" ? [long, ...suitesInParts()] : [short];
}

const globalSetup = ["test/compile-entries.ts", "test/run-folder.ts"];

/** The default one is the last, since it ends with what failed: logs that are kept in part keep their end. */
const reporters = ["test/stalls.ts", "default"];

/** `npm test` is quick because each of its tests is. */
const forShort = { reporters: ["test/slow-tests.ts", ...reporters] };

/** Compilers take minutes and both cores. */
const forLanguages = {
  globalSetup: [...globalSetup, "test/languages/harness/setup.ts"],
  reporters: ["test/languages/harness/table-reporter.ts", "default"],
  maxWorkers: 1,
  testTimeout: 1_800_000,
};

export default defineConfig(({ mode }) => ({
  test: {
    root,
    include: suitesOf(mode),
    env: {
      // Files kept by earlier runs would hide what this one does.
      TONWIRE_CACHE: "off",
      NODE_OPTIONS: "--throw-deprecation",
      TONWIRE_TEST_MODE: mode,
    },
    // A deprecated call of Node is an error, here and in the programs that tests start: a later version does not have it.
    execArgv: ["--throw-deprecation", ...v8Flags],
    globalSetup,
    reporters,
    // Modules that an earlier run compiled are read from node_modules: half of the time of a single file.
    experimental: { fsModuleCache: true },
    setupFiles: ["test/overwrite-given-back.ts", "test/each-file.ts"],
    // Every file starts its own service on a free port; two at a time keep small machines responsive.
    maxWorkers: 2,
    // Files of a worker share the modules that they load, which takes a second for each file otherwise.
    isolate: false,
    sequence: { sequencer: LongFirst },
    // The two cores of a CI machine stand still for seconds at a time, and a database has taken minutes to open on them.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    ...(mode === "test" && forShort),
    ...(mode === "languages" && forLanguages),
  },
}));
