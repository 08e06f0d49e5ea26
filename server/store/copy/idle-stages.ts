import type { Table } from "../declare/table.js";
import { stageName } from "./merge.js";

/** Batches after which a stage is dropped that none of them used. */
const maxIdle = 4;

/**
 * Finds stages that a connection keeps for nothing: every commit empties all that there are, which takes the embedded
 * database longer than to make one again now and then.
 */
export class IdleStages {
  /** Batches since a stage was used. */
  readonly #idle = new Map<Table, number>();

  /** The statements that drop stages, after a batch that used those of the given tables. */
  dropAfter(used: readonly Table[]): string[] {
    for (const [table, batches] of this.#idle) this.#idle.set(table, batches + 1);
    for (const table of used) this.#idle.set(table, 0);
    const dropped = [...this.#idle].filter(([, batches]) => batches >= maxIdle).map(([table]) => table);
    for (const table of dropped) this.#idle.delete(table);
    return dropped.map((table) => `drop table if exists pg_temp.${stageName(table)}`);
  }
}
