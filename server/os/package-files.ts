import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { unlessRefused } from "./unless-refused.js";

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

const compiled = import.meta.url.endsWith(".ts") ? "../../dist/server" : "..";

/** Path of a file of another package that the build copies. In a source tree it is in the build output. */
export function vendored(path: string): string {
  return fileURLToPath(new URL(`${compiled}/vendor/${path}`, import.meta.url));
}

/** Names the code of the program, as it was built; `undefined` in a source tree. */
export function programEdition(): string | undefined {
  return unlessRefused(() => readFileSync(new URL("../edition", import.meta.url), "utf8"));
}
