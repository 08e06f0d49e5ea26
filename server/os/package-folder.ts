import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder with the package.json and the documents: of a checkout, or of the package that is installed. */
export function packageFolder(start = dirname(fileURLToPath(import.meta.url))): string {
  let folder = start;
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`no package.json in ${start} or in a folder above it`);
    folder = parent;
  }
  return folder;
}
