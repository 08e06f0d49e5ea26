import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { knownMigrations } from "./migrate.js";

/** Options for an embedded database that begins empty: as a copy of the one that the build made, if there is one. */
export function emptyDatabase(): { loadDataDir?: Blob } {
  const file = new URL(emptyDatabaseName(), import.meta.url);
  if (!existsSync(file)) return {};
  return { loadDataDir: new Blob([readFileSync(file)], { type: "application/x-gzip" }) };
}

/** Names the schema that the database has, so that one with an earlier form of a migration is not taken. */
export function emptyDatabaseName(): string {
  const digest = createHash("sha256");
  for (const { name, script } of knownMigrations()) digest.update(`${name}\n${script()}`);
  return `empty-database-${digest.digest("hex").slice(0, 16)}.tgz`;
}
