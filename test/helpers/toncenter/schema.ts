import { compositeTypes, enumerations, tableShapes } from "./shapes.js";

/** Columns of a table that it numbers itself. */
const serial = "bigserial";

function columnsOf(columns: string): { name: string; type: string }[] {
  return columns.split(";").flatMap((part) => {
    const [type, names] = part.trim().split(": ") as [string, string];
    return names.split(" ").map((name) => ({ name, type }));
  });
}

/** The columns of a table that are written. */
export function writtenColumns(table: string): string[] {
  return columnsOf(tableShapes[table]!.columns)
    .filter(({ type }) => type !== serial)
    .map(({ name }) => name);
}

function listed(columns: string): string {
  return columnsOf(columns)
    .map(({ name, type }) => `${name} ${type}`)
    .join(", ");
}

/** Statements that make the tables of TON Center's database, of a version of its schema. */
export function schemaScript(patch = 10): string {
  return [
    "create domain tonhash as char(44)",
    "create domain tonaddr as varchar",
    ...Object.entries(enumerations).map(
      ([name, words]) => `create type ${name} as enum ('${words.split(" ").join("', '")}')`,
    ),
    ...Object.entries(compositeTypes).map(([name, members]) => `create type ${name} as (${listed(members)})`),
    ...Object.entries(tableShapes).map(
      ([name, { key, columns }]) => `create table ${name} (${listed(columns)}, primary key (${key}))`,
    ),
    "create table ton_db_version (id integer primary key, major integer, minor integer, patch integer)",
    `insert into ton_db_version values (1, 1, 2, ${patch})`,
  ].join(";\n");
}
