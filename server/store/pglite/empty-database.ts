import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { keptMigrations, knownMigrations } from "../sql/schemas.js";
import { FolderImage } from "./folder-image.js";

/** Small segments of the write-ahead log, in megabytes: the engine allocates whole ones, which would all be kept in memory. */
const walSegmentMb = 1;

/** With what a database is made where the build made none. */
export const initDbStartParams = [`--wal-segsize=${walSegmentMb}`];

/** The empty database that the build made, if it did: copying one takes less time than making it. The caller closes it. */
export function emptyDatabase(): FolderImage | undefined {
  const path = fileURLToPath(new URL(emptyDatabaseName(), import.meta.url));
  return existsSync(path) ? new FolderImage(path) : undefined;
}

/** Depends on the schema, so that a database with an earlier form of it is not taken. */
export function emptyDatabaseName(): string {
  const digest = createHash("sha256").update(`${walSegmentMb} MB\n`);
  for (const { name, script } of [...knownMigrations(), ...keptMigrations()])
    digest.update(`${name}\n${script()}`);
  return `empty-database-${digest.digest("hex").slice(0, 16)}.image`;
}
