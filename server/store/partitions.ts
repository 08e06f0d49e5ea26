import SQL from "sql-template-tag";
import type { Sql } from "./database.js";

const partitioned = [
  ["transactions", "lt"],
  ["messages", "tx_lt"],
] as const;
/** Any number that nothing else locks by. */
const partitionLock = 7_461_002;

/** Rows that are only ever added have to be marked as seen by all before an index alone can answer for them. */
const tidied = "autovacuum_vacuum_insert_scale_factor = 0.02";

/** Makes the partitions of transactions and messages, a fixed grid over lt, as they are needed. */
export class Partitions {
  readonly #sql: Sql;
  readonly #present = new Set<bigint>();
  #width: bigint | undefined;

  constructor(database: Sql) {
    this.#sql = database;
  }

  /** Afterwards rows with lt in `from ..= to` can be stored. An empty partition does no harm, so it is made at once. */
  async cover(from: bigint, to: bigint): Promise<void> {
    this.#width ??= await this.#readWidth();
    for (let slot = from / this.#width; slot <= to / this.#width; slot++) {
      if (this.#present.has(slot)) continue;
      await this.#create(slot, this.#width);
      this.#present.add(slot);
    }
  }

  async #readWidth(): Promise<bigint> {
    const [row] = await this.#sql.query<{ value: string }>(
      SQL`select value from index_meta where key = 'lt_grid'`,
    );
    return BigInt(row!.value);
  }

  /** Attached rather than created in place, which would wait for every reader of the table. */
  async #create(slot: bigint, width: bigint): Promise<void> {
    await this.#sql.transaction(async (transaction) => {
      await transaction.query(SQL`select pg_advisory_xact_lock(${partitionLock})`);
      for (const [table, column] of partitioned) {
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
