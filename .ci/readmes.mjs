// Where documents for readers stand: at the top, and beside what they describe.
import { readdirSync } from "node:fs";
import { dirname, join, sep } from "node:path";

export const top = dirname(import.meta.dirname);

/** Paths of all README.md files, relative to the top folder, with slashes. */
export function readmePaths() {
  const rooms = ["client", "server", "shared"].flatMap((room) =>
    readdirSync(join(top, room), { recursive: true }).map((path) => join(room, path)),
  );
  return ["README.md", ...rooms]
    .map((path) => path.replaceAll(sep, "/"))
    .filter((path) => /(^|\/)README\.md$/.test(path))
    .sort();
}
