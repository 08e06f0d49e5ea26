import { setTimeout as wait } from "node:timers/promises";
import SQL from "sql-template-tag";
import type { Queries, Sql, Transaction } from "../database.js";
import { isDeadlock } from "../database-errors.js";

/** Runs work in a transaction of its own, while no other process migrates. */
type InTurn = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;

/** An index of a statement, and its table with the schema if one is named. */
type Named = { readonly index: string; readonly table: string };

// Bounded input: the files of migrations.
const creation = /^create (?:unique )?index concurrently if not exists (\w+) on ([\w.]+)/im;

const pauseMs = 200;
/** Two processes that end each other's statement begin anew as often, after pauses of different lengths. */
const deadlockAttempts = 20;

/**
 * Runs a statement that takes no transaction. An index is built by one process at a time: two would wait for each other
 * until PostgreSQL ends one of them, which leaves an index that is not valid, and that `if not exists` takes for made.
 */
export async function runAlone(database: Sql, text: string, inTurn: InTurn): Promise<void> {
  const named = namedBy(text);
  if (!named) return void (await database.query({ text, values: [] }));
  for (let deadlocks = 0; ; await wait(pauseMs * (1 + Math.random()))) {
    const state = await inTurn((transaction) => readyIndex(transaction, named));
    if (state === "made") return;
    if (state === "beingBuilt") continue;
    try {
      await database.query({ text, values: [] });
    } catch (error) {
      if (!isDeadlock(error) || ++deadlocks === deadlockAttempts) throw error;
    }
  }
}

function namedBy(text: string): Named | undefined {
  const [, index, table] = creation.exec(text) ?? [];
  return index === undefined || table === undefined ? undefined : { index, table };
}

/** Removes what a process left that was ended while it built the index. */
async function readyIndex(
  transaction: Transaction,
  named: Named,
): Promise<"made" | "beingBuilt" | "missing"> {
  const { isBuilding, isValid } = await readState(transaction, named);
  if (isBuilding) return "beingBuilt";
  if (isValid) return "made";
  if (isValid === false) {
    const [schema] = named.table.split(".").slice(0, -1);
    await transaction.script(`drop index ${schema === undefined ? "" : `${schema}.`}${named.index}`);
  }
  return "missing";
}

type State = { isBuilding: boolean; isValid: boolean | null };

async function readState(queries: Queries, { index, table }: Named): Promise<State> {
  const [state] = await queries.query<State>(SQL`
    select
      exists (select from pg_stat_progress_create_index where relid = to_regclass(${table})) as "isBuilding",
      (select i.indisvalid from pg_index i join pg_class c on c.oid = i.indexrelid
        where i.indrelid = to_regclass(${table}) and c.relname = ${index}) as "isValid"`);
  return state!;
}
