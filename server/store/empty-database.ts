import { existsSync, readFileSync } from "node:fs";

const file = new URL("empty-database.tgz", import.meta.url);

/** Options for an embedded database that begins empty: as a copy of the one that the build made, if there is one. */
export function emptyDatabase(): { loadDataDir?: Blob } {
  if (!existsSync(file)) return {};
  return { loadDataDir: new Blob([readFileSync(file)], { type: "application/x-gzip" }) };
}
