import type { ReadTrail } from "../../../shared/methods/define.js";
import type { Queries, QueryOptions, Statement } from "../database.js";

/** Queries for a call whose reads are noted. */
export class TracedQueries implements Queries {
  readonly trail: ReadTrail;
  readonly #queries: Queries;

  constructor(queries: Queries, trail: ReadTrail) {
    this.#queries = queries;
    this.trail = trail;
  }

  query<Row>(statement: Statement, options?: QueryOptions): Promise<Row[]> {
    return this.#queries.query(statement, options);
  }

  isDivided(): Promise<boolean> {
    return this.#queries.isDivided();
  }
}
