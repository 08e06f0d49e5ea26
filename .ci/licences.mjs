// Checks in the lock file that every package that users install with ours has a permissive licence. The build checks
// the packages that it bundles (third-party.mjs).
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { allowedLicences } from "./allowed-licences.mjs";

const top = dirname(import.meta.dirname);
const { packages } = JSON.parse(readFileSync(join(top, "package-lock.json"), "utf8"));
const problems = [];
for (const [path, { version, license, dev, devOptional }] of Object.entries(packages)) {
  if (path === "" || dev || devOptional || allowedLicences.has(license)) continue;
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  problems.push(`${name}@${version}: licence ${license ?? "not stated"} is not on the list`);
}
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
