import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { knownMigrations } from "./migrate.js";

/** Small segments of the write-ahead log, in megabytes: the engine allocates whole ones, which would all be kept in memory. */
const walSegmentMb = 1;

/** Options for an embedded database that begins empty: as a copy of the one that the build made, if there is one. */
export function emptyDatabase(): { loadDataDir: Blob } | { initDbStartParams: string[] } {
  const file = new URL(emptyDatabaseName(), import.meta.url);
  if (!existsSync(file)) return { initDbStartParams: [`--wal-segsize=${walSegmentMb}`] };
  return { loadDataDir: new Blob([readFileSync(file)], { type: "application/x-gzip" }) };
}

/** Names what the database was made with, so that one with an earlier form of a migration is not taken. */
export function emptyDatabaseName(): string {
  const digest = createHash("sha256").update(`${walSegmentMb} MB\n`);
  for (const { name, script } of knownMigrations()) digest.update(`${name}\n${script()}`);
  return `empty-database-${digest.digest("hex").slice(0, 16)}.tgz`;
}
