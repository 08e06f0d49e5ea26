import { foundIn } from "../../../shared/values/lookups.js";
import type { Columns, Table } from "../declare/table.js";
import { tables } from "../tables/all-tables.js";
import { type TokenEventRow, type TokenEventTable, tokenEventParties } from "../tables/token-events.js";
import type { RowSet } from "./row-set.js";

/** Token events, with the rows of the directory that leads to them. */
export class TokenEventRows {
  readonly #rows: RowSet;
  readonly #slotOf: (lt: bigint) => bigint;
  readonly #seen = new Set<string>();

  /** `slotOf` gives the beginning of the slot of an lt. */
  constructor(rows: RowSet, slotOf: (lt: bigint) => bigint) {
    this.#rows = rows;
    this.#slotOf = slotOf;
  }

  add<T extends TokenEventTable>(table: T, row: TokenEventRow<T> & { readonly tx_lt: bigint }): void {
    // The row has the columns of the table, which the compiler cannot follow through a union of tables.
    this.#rows.of<Columns>(table as unknown as Table<Columns>).add(row as never);
    const from_lt = this.#slotOf(row.tx_lt);
    const { parties } = foundIn(tokenEventParties, (each) => each.table === (table as Table));
    for (const party of parties) {
      const account = (row as Record<string, unknown>)[party] as Uint8Array | undefined;
      if (account) this.#addSlot(account, from_lt);
    }
  }

  #addSlot(account: Uint8Array, from_lt: bigint): void {
    const key = `${from_lt} ${Buffer.from(account).toString("latin1")}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#rows.of(tables.tokenSlots).add({ account, from_lt });
  }
}
