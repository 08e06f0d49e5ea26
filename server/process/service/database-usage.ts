import {
  firstKeptDay,
  type MonthTotal,
  type UsageRange,
  type UsageRow,
  type UsageStore,
} from "../../access/usage/usage.js";
import type { Database, Sql } from "../../store/database.js";
import { areKeysCurrent } from "../../store/queries/kept/api-keys.js";
import {
  addUsage,
  readMonthUsage,
  readUsageRows,
  removeUsageBefore,
} from "../../store/queries/kept/key-usage.js";

const statementTimeoutMs = 10_000;

/** Usage in a database, to which the processes of several services may add. Connects on first use. */
export class DatabaseUsage implements UsageStore {
  readonly #database: Database;
  readonly #sql: Sql;
  /** Earlier days have been removed. */
  #first = "";

  constructor(database: Database) {
    this.#database = database;
    this.#sql = database.sql({ connections: 1, statementTimeoutMs });
  }

  async add(day: string, rows: readonly UsageRow[]): Promise<void> {
    const first = firstKeptDay(day);
    if (first !== this.#first) await removeUsageBefore(this.#sql, first);
    this.#first = first;
    await addUsage(this.#sql, day, rows);
  }

  async totals(month: string, keys?: readonly string[]): Promise<readonly MonthTotal[]> {
    // Before the first migration there is no usage.
    if (!(await areKeysCurrent(this.#sql))) return [];
    const rows = await readMonthUsage(this.#sql, month, keys);
    return rows.map(({ key, calls, points }) => ({ key, calls: Number(calls), points: Number(points) }));
  }

  async read(range: UsageRange, limit: number): Promise<readonly UsageRow[]> {
    const rows = await readUsageRows(this.#sql, range, limit);
    return rows.map(({ calls, points, refused, ...row }) => ({
      ...row,
      calls: Number(calls),
      points: Number(points),
      refused: Number(refused),
    }));
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
