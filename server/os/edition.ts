import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolder } from "./package-folder.js";

/**
 * Names the code of a bundled entry: it changes with the entry, with what this imports, because bundles are named by their
 * content, and with the packages that the manifest names.
 */
export function editionOf(entryUrl: string): string {
  const digest = createHash("sha256").update(readFileSync(fileURLToPath(entryUrl)));
  return digest.update(readFileSync(join(packageFolder(), "package.json"))).digest("hex");
}
