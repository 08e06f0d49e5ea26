import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolder } from "./package-folder.js";

/** Files that name the versions of packages: the installed ones, and those that the build copied. */
const versions = ["package.json", "dist/server/third-party.txt"];

/**
 * Names the code of a bundled entry: it changes with the entry, with what this imports, because bundles are named by their
 * content, and with the packages.
 */
export function editionOf(entryUrl: string): string {
  const digest = createHash("sha256").update(readFileSync(fileURLToPath(entryUrl)));
  for (const path of versions) digest.update(readFileSync(join(packageFolder(), path)));
  return digest.digest("hex");
}
