// Mutation tests: changes server code, one small fault at a time, and lists the faults that no test notices.
//   npm run mutants -- <folder of server> [file...] [--workers 2] [--quick] [--left]
// With files, only these of the folder are changed, as a folder takes long. Results stay in artifacts/mutants until the next
// run of the same file, and what is printed covers all files of the folder that were run. --quick leaves out the slow suites. --left tries
// only the mutants that the last run left, for new tests of unchanged files.
// Stryker is installed on first use: it is large, and needs a newer Node than tonwire.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { linesOf, placesLeft, resultsOf, withResults } from "./mutant-report.mjs";
import { mutantSuites } from "./mutant-suites.mjs";
import { top } from "./readmes.mjs";

const version = "10.1.1";
const tool = join(top, "node_modules/.cache/mutants");
const artifacts = join(top, "artifacts/mutants");

function fail(sentence) {
  console.error(sentence);
  process.exit(2);
}

/** As the package says: ^22.18.0 || >=24.11.0. */
function runsStryker(node) {
  const [major, minor] = node.split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 11) || (major === 22 && minor >= 18);
}

function install() {
  const installed = join(tool, "node_modules/@stryker-mutator/core/package.json");
  if (existsSync(installed) && JSON.parse(readFileSync(installed, "utf8")).version === version) return;
  console.log(`Installing Stryker ${version} in node_modules/.cache/mutants (60 MB).`);
  mkdirSync(tool, { recursive: true });
  writeFileSync(join(tool, "package.json"), '{ "private": true }\n');
  const packages = ["core", "vitest-runner"].map((name) => `@stryker-mutator/${name}@${version}`);
  // Without its peer dependency Vitest, which is the project's own.
  const options = ["--save-exact", "--legacy-peer-deps", "--no-audit", "--no-fund", "--silent"];
  const { status } = spawnSync("npm", ["install", ...options, ...packages], { cwd: tool, stdio: "inherit" });
  if (status !== 0) fail("Stryker could not be installed.");
}

function optionsFor(files, { report, testMs }) {
  return {
    mutate: files,
    testRunner: "vitest",
    plugins: [join(tool, "node_modules/@stryker-mutator/vitest-runner/dist/src/index.js")],
    vitest: { configFile: "test/mutants.vitest.config.ts", related: false },
    coverageAnalysis: "perTest",
    // Any test could cover code that runs when a module loads.
    ignoreStatic: true,
    // Stryker rewrites it by a function that TypeScript 7 does not have.
    tsconfigFile: "none",
    concurrency: Number(values.workers),
    // Small machines stand still for seconds: a slow test has not failed.
    timeoutMS: 2 * testMs,
    timeoutFactor: 5,
    dryRunTimeoutMinutes: 30,
    ignorePatterns: [
      "/artifacts",
      "/data",
      "/dist/bench",
      "/dist/test",
      "/dist/test-entries-*",
      "/client/examples",
    ],
    // Not in node_modules, where Vitest compiles nothing.
    tempDirName: "artifacts/mutants/sandbox",
    cleanTempDir: "always",
    reporters: ["json", "progress-append-only"],
    jsonReporter: { fileName: report },
    allowConsoleColors: false,
  };
}

/** Runs Stryker on files or places in them, and returns the results of each file. */
function run(files, { suites, testMs, hookMs }) {
  const report = join(artifacts, "report.json");
  const config = join(artifacts, "stryker.config.json");
  rmSync(report, { force: true });
  writeFileSync(config, JSON.stringify(optionsFor(files, { report, testMs })));
  const command = join(tool, "node_modules/@stryker-mutator/core/bin/stryker.js");
  const env = {
    ...process.env,
    TONWIRE_MUTANT_TESTS: JSON.stringify({ include: suites, testTimeout: testMs, hookTimeout: hookMs }),
    // Each mutant is run in a thread of its own, which loads the same modules again.
    NODE_COMPILE_CACHE: join(artifacts, "compile-cache"),
  };
  const { status } = spawnSync(process.execPath, [command, "run", config], {
    cwd: top,
    stdio: "inherit",
    env,
  });
  if (status !== 0 || !existsSync(report)) fail("Stryker failed.");
  return resultsOf(JSON.parse(readFileSync(report, "utf8")));
}

/** The results after other suites have tried the mutants that are left. */
function triedAgain(results, suites) {
  const left = placesLeft(results);
  return left.length === 0 ? results : withResults(results, run(left, suites));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    workers: { type: "string", default: "1" },
    quick: { type: "boolean", default: false },
    left: { type: "boolean", default: false },
  },
});
const usage =
  "usage: npm run mutants -- <folder of server, or shared/...> [file...] [--workers 2] [--quick] [--left]";
if (!/^[1-9]\d?$/.test(values.workers)) fail(usage);
const folder = (positionals[0] ?? "").replace(/^server\//, "").replace(/\/$/, "");
const home = folder.startsWith("shared/") ? folder : `server/${folder}`;
const room = join(top, home);
if (folder === "" || !existsSync(room)) fail(usage);
if (!runsStryker(process.versions.node))
  fail(`Stryker ${version} needs Node 22.18, 24.11 or newer: this is Node ${process.versions.node}.`);
const sources = readdirSync(room, { recursive: true })
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))
  .sort();
const chosen = positionals.length > 1 ? positionals.slice(1) : sources;
const unknown = chosen.find((file) => !sources.includes(file));
if (unknown !== undefined) fail(`${home} has no file ${unknown}.`);

install();
mkdirSync(artifacts, { recursive: true });
const { quick, slow } = mutantSuites(folder);
// A hook that hangs fails like a test: Stryker would start its process again.
const quickly = { suites: quick, testMs: 5_000, hookMs: 5_000 };
const slowly = { suites: slow, testMs: 20_000, hookMs: 120_000 };
const kept = join(artifacts, `${folder.replaceAll("/", "-")}.json`);
const before = existsSync(kept) ? JSON.parse(readFileSync(kept, "utf8")) : {};
const paths = chosen.map((file) => `${home}/${file}`);
let results = values.left
  ? triedAgain(
      Object.fromEntries(paths.flatMap((path) => (before[path] ? [[path, before[path]]] : []))),
      quickly,
    )
  : run(paths, quickly);
if (!values.quick && slow.length > 0) results = triedAgain(results, slowly);
const all = Object.fromEntries(
  Object.entries({ ...before, ...results }).filter(([path]) => existsSync(join(top, path))),
);
writeFileSync(kept, JSON.stringify(all, null, 1));
console.log(linesOf(all).join("\n"));
