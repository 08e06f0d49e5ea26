import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A part of the schema, or a change of it. Lines `-- step: <title>` divide a script into the steps that are reported. */
export type Migration = { readonly number: number; readonly name: string; script(): string };

/** Tables with migrations of their own. */
export type Schema = {
  /** The schema that the migrations name; without it, they create tables in the default one. */
  readonly name?: string;
  /** The table of applied migrations. */
  readonly ledger: string;
  readonly folder: URL;
};

/** The index: the chain's data, and what follows from them. It can be built anew. */
export const index: Schema = { ledger: "schema_migrations", folder: new URL("../schema/", import.meta.url) };

/** Data that users entrusted to the service. They have a schema of their own, so that they outlive an index that is emptied. */
export const kept: Schema = {
  name: "tonwire_kept",
  ledger: "tonwire_kept.schema_migrations",
  folder: new URL("../schema/kept/", import.meta.url),
};

/** The migrations of the index. */
export const knownMigrations = (): Migration[] => migrationsIn(index);

/** The migrations of the tables that outlive the index. */
export const keptMigrations = (): Migration[] => migrationsIn(kept);

/** The numbered files, oldest first. Released ones never change. */
function migrationsIn({ folder }: Schema): Migration[] {
  return readdirSync(fileURLToPath(folder))
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .sort()
    .map((name) => ({
      number: Number(name.slice(0, 4)),
      name,
      script: () => readFileSync(new URL(name, folder), "utf8"),
    }));
}
