// Every package that users install with ours has a licence that lets them; read from the lock file.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const top = dirname(import.meta.dirname);
const allowed = new Set([
  "MIT",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "Unlicense",
  "0BSD",
]);
/** Packages whose metadata names no licence, and why they may stay. */
const exceptions = new Map([
  // Installed with @ton/sandbox through ton-assembly (MIT). Of @ton/sandbox only data files are read, so nothing loads it.
  ["@tonstudio/parser-runtime", "0.0.1"],
]);

const { packages } = JSON.parse(readFileSync(join(top, "package-lock.json"), "utf8"));
const problems = [];
for (const [path, { version, license, dev, devOptional }] of Object.entries(packages)) {
  if (path === "" || dev || devOptional) continue;
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  if (allowed.has(license) || (license === undefined && exceptions.get(name) === version)) continue;
  problems.push(`${name}@${version}: licence ${license ?? "not stated"} is not on the list`);
}
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
