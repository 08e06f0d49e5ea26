// Everything `npm run check` looks at: types, lint and format, import directions, paths and links in Markdown.
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";

const top = dirname(import.meta.dirname);
const steps = [
  ["types", ["tsc", "-b"]],
  ["lint and format", ["biome", "ci", "--error-on-warnings", "."]],
  ["import directions", ["node", ".ci/directions.mjs"]],
  ["time of regular expressions", ["node", ".ci/patterns.mjs"]],
  ["reasons of dropped failures", ["node", ".ci/silent-failures.mjs"]],
  ["mutable state of modules", ["node", ".ci/module-state.mjs"]],
  ["exports that no file imports", ["node", ".ci/unused-exports.mjs"]],
  ["codes of the devnet's contracts", ["node", ".ci/contracts.mjs", "--check"]],
  ["tables of the READMEs", ["node", ".ci/readme.mjs", "--check"]],
  ["licences of what is installed", ["node", ".ci/licences.mjs"]],
  ["paths and links in Markdown", ["node", ".ci/markdown-paths.mjs"]],
];

let failed = 0;
for (const [title, [command, ...args]] of steps) {
  const run = command === "node" ? [process.execPath, args] : ["npx", ["--no-install", command, ...args]];
  const { status } = spawnSync(run[0], run[1], { cwd: top, stdio: "inherit" });
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${title}`);
  if (status !== 0) failed++;
}
process.exit(failed === 0 ? 0 : 1);
