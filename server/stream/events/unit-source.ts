import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { BookSettings } from "../../present/v3/answer-extras.js";
import type { Queries } from "../../store/database.js";
import { lastTransactionsIn, tracesEndedIn } from "../../store/queries/blocks/units.js";
import { lateTraces, tracesDelayedIn } from "../../store/queries/upkeep/late-events.js";
import type { StoredTraceRow } from "../../store/tables/traces.js";
import { type EditedAccount, editedAccount, type ReadEdits } from "./account-edits.js";

/** The last transaction of an account in a masterchain block. */
export type LastTransaction = { account: Uint8Array; lt: bigint };

/** Data of a masterchain block that both protocols need, read once. */
export class UnitSource {
  readonly queries: Queries;
  readonly seqno: number;
  readonly book: BookSettings;
  readonly #readEdits: ReadEdits | undefined;
  #edits: Promise<ReadonlyMap<string, EditedAccount>> | undefined;
  #ended: Promise<StoredTraceRow[]> | undefined;
  #settled: Promise<StoredTraceRow[]> | undefined;
  #last: Promise<LastTransaction[]> | undefined;

  /** `readEdits`: absent if every account change has a transaction. */
  constructor(queries: Queries, seqno: number, book: BookSettings, readEdits?: ReadEdits) {
    this.queries = queries;
    this.book = book;
    this.seqno = seqno;
    this.#readEdits = readEdits;
  }

  /** Accounts edited after the transactions of the block, by address. */
  edits(): Promise<ReadonlyMap<string, EditedAccount>> {
    this.#edits ??= (async () => {
      const rows = (await this.#readEdits?.(this.seqno)) ?? [];
      return new Map(rows.map(editedAccount).map((each) => [each.account, each]));
    })();
    return this.#edits;
  }

  /** Traces that ended in the block. */
  ended(): Promise<StoredTraceRow[]> {
    this.#ended ??= tracesEndedIn(this.queries, this.seqno);
    return this.#ended;
  }

  /**
   * Traces whose actions are sent with the block: those that ended in it, and earlier ones that waited for accounts.
   */
  settled(): Promise<StoredTraceRow[]> {
    this.#settled ??= (async () => {
      const ended = await this.ended();
      const delayed = new Set((await tracesDelayedIn(this.queries, this.seqno)).map(bytesToBase64));
      const late = await lateTraces(this.queries, this.seqno);
      return [...ended.filter(({ trace_id }) => !delayed.has(bytesToBase64(trace_id))), ...late];
    })();
    return this.#settled;
  }

  /** The last transaction of each account. */
  last(): Promise<LastTransaction[]> {
    this.#last ??= lastTransactionsIn(this.queries, this.seqno);
    return this.#last;
  }
}
