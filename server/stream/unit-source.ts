import type { Queries } from "../store/database.js";
import { lastTransactionsIn, tracesEndedIn } from "../store/queries/units.js";
import type { StoredTraceRow } from "../store/tables/traces.js";

export type LastTransaction = { account: Uint8Array; lt: bigint };

/** What both protocols read of a masterchain block, read once. */
export class UnitSource {
  readonly queries: Queries;
  readonly seqno: number;
  #ended: Promise<StoredTraceRow[]> | undefined;
  #last: Promise<LastTransaction[]> | undefined;

  constructor(queries: Queries, seqno: number) {
    this.queries = queries;
    this.seqno = seqno;
  }

  /** The traces that ended in it. */
  ended(): Promise<StoredTraceRow[]> {
    this.#ended ??= tracesEndedIn(this.queries, this.seqno);
    return this.#ended;
  }

  /** The last transaction of each account. */
  last(): Promise<LastTransaction[]> {
    this.#last ??= lastTransactionsIn(this.queries, this.seqno);
    return this.#last;
  }
}
