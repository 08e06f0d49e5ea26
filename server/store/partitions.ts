import SQL from "sql-template-tag";
import type { Sql } from "./database.js";
import type { Table } from "./declare/table.js";
import { readMeta } from "./queries/index-meta.js";
import { lockForTransaction } from "./queries/locks.js";
import { tables } from "./tables.js";

const partitioned = Object.values<Table>(tables).flatMap(({ name, partitionBy }) =>
  partitionBy === undefined ? [] : [{ name, partitionBy }],
);

/** Index-only scans need vacuumed pages, and the default threshold is too rare for tables that are only appended to. */
const tidied = "autovacuum_vacuum_insert_scale_factor = 0.02";

/** Creates the partitions of all partitioned tables, a fixed grid over lt, as they are needed. */
export class Partitions {
  readonly #database: Sql;
  readonly #present = new Set<bigint>();
  #width: bigint | undefined;

  constructor(database: Sql) {
    this.#database = database;
  }

  /** Creates the partitions for rows with lt in `from ..= to`, in transactions of their own. */
  async cover(from: bigint, to: bigint): Promise<void> {
    this.#width ??= await this.#readWidth();
    for (let slot = from / this.#width; slot <= to / this.#width; slot++) {
      if (this.#present.has(slot)) continue;
      await this.#create(slot, this.#width);
      this.#present.add(slot);
    }
  }

  async #readWidth(): Promise<bigint> {
    const [row] = await readMeta(this.#database, ["lt_grid"]);
    return BigInt(row!.value);
  }

  /** Attaches a new table: creating it as a partition would wait for every reader of the parent. */
  async #create(slot: bigint, width: bigint): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await lockForTransaction(transaction, "partition");
      for (const { name: table, partitionBy: column } of partitioned) {
        const name = `${table}_${slot}`;
        const [found] = await transaction.query<{ found: string | null }>(
          SQL`select to_regclass(${name})::text as found`,
        );
        if (found!.found !== null) continue;
        const range = `from (${slot * width}) to (${(slot + 1n) * width})`;
        await transaction.script(`
          create table ${name} (like ${table} including defaults) with (${tidied});
          alter table ${name} add check (${column} >= ${slot * width} and ${column} < ${(slot + 1n) * width});
          alter table ${table} attach partition ${name} for values ${range};`);
      }
    });
  }
}
