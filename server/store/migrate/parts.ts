import { setTimeout as wait } from "node:timers/promises";
import { ServiceError } from "../../errors.js";
import type { Sql, Transaction } from "../database.js";
import { isLockTimeout } from "../database-errors.js";
import { runScript } from "../queries/cluster/scripts.js";

/**
 * `together`: a transaction of scripts. `batch`: a statement in a transaction, again until it returns no row. `alone`: a
 * statement without a transaction, which takes no lock that readers or writers wait for.
 */
type Part =
  | { readonly kind: "together"; readonly title: string; readonly steps: readonly Step[] }
  | { readonly kind: "batch" | "alone"; readonly title: string; readonly text: string };
type Step = { readonly title: string; readonly text: string };

/** Receives the title of a step, empty for the first. */
type Report = (title: string) => void;

const marker = /^-- (step|part|batch|alone): (.*)$/m;

const usableBy = /^-- usable by: (\d+)$/m;

/** The least migration that a version must know to read what the script makes; by default the migration itself. */
export function usableByOf(script: string): number | undefined {
  const number = usableBy.exec(script)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** A script by its marking lines. Without any it is one transaction. */
export function partsOf(script: string): Part[] {
  const [first = "", ...pieces] = script.split(marker);
  const parts: Part[] = [{ kind: "together", title: "", steps: [{ title: "", text: first }] }];
  for (let at = 0; at + 2 < pieces.length; at += 3) {
    const [kind, title, text] = pieces.slice(at, at + 3) as [string, string, string];
    const last = parts.at(-1);
    if (kind === "batch" || kind === "alone") parts.push({ kind, title, text });
    else if (kind === "step" && last?.kind === "together")
      parts[parts.length - 1] = { ...last, steps: [...last.steps, { title, text }] };
    else parts.push({ kind: "together", title, steps: [{ title, text }] });
  }
  return parts;
}

/** How long a statement of a migration runs that others may wait for, and how long it waits for its locks, ms. */
export const usualStatementMs = 1000;
const lockMs = 500;
/** Attempts to get a lock, and those for a statement that a busy server may have held up; the pause before each further one, ms. */
const lockAttempts = 120;
const timeoutAttempts = 5;
const pauseMs = { first: 100, most: 5000 };

/** Runs work on a database that others use: it holds nothing up for long, and is tried again while it gets no lock. */
export async function besideOthers<T>(
  database: Sql,
  statementMs: number,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transaction(async (transaction) => {
        await transaction.script(
          `set local lock_timeout = ${lockMs}; set local statement_timeout = ${statementMs}`,
        );
        return work(transaction);
      });
    } catch (error) {
      const attempts = isLockTimeout(error) ? lockAttempts : isTimeout(error) ? timeoutAttempts : 1;
      if (attempt >= attempts) throw withReason(error, statementMs);
      await wait(Math.min(pauseMs.first * 2 ** (attempt - 1), pauseMs.most));
    }
  }
}

/** Explains an error that a limit of this file causes. */
function withReason(error: unknown, statementMs: number): unknown {
  if (isLockTimeout(error))
    return new Error("another transaction holds a table that it changes: end it, see pg_stat_activity", {
      cause: error,
    });
  if (isTimeout(error))
    return new Error(`a statement would hold others up for more than ${statementMs / 1000} s`, {
      cause: error,
    });
  return error;
}

function isTimeout(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "timeout";
}

/** Runs what a part has for a transaction. Returns whether it may have more for another one. */
export async function runPart(transaction: Transaction, part: Part, report: Report): Promise<boolean> {
  if (part.kind === "batch") return (await transaction.query({ text: part.text, values: [] })).length > 0;
  if (part.kind === "together")
    for (const { title, text } of part.steps) {
      report(title);
      await runScript(transaction, text, settings);
    }
  return false;
}

// All nodes read new tables, which stay on the coordinator.
const settings = "set local citus.use_citus_managed_tables = on";

/** Runs a part in a new database, which has neither rows nor others that use it. */
export async function runAtOnce(transaction: Transaction, part: Part): Promise<void> {
  if (part.kind === "alone") await transaction.script(part.text.replace(/ concurrently /i, " "));
  else await runPart(transaction, part, () => {});
}
