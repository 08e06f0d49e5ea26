// The documents for users: README.md and every README.md that it links to, directly or through others. They are packed, and the
// service shows them. The README.md of a room is for its maintainers: ARCHITECTURE.md links to it.
import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { linksOf } from "./markdown.mjs";

export const top = dirname(import.meta.dirname);

/** Paths of the documents, relative to the top folder, with slashes. */
export function readmePaths() {
  const found = new Set(["README.md"]);
  for (const path of found)
    for (const link of linksOf(readFileSync(join(top, path), "utf8"))) {
      const target = posix.join(posix.dirname(path), link.path);
      if (posix.basename(target) === "README.md") found.add(target);
    }
  return [...found].sort();
}
