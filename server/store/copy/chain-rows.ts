import type { Extent } from "../queries/slots.js";
import { type AccountSlotRow, type AccountTraceRow, hashPrefix } from "../tables/directories.js";
import type { MessageRow } from "../tables/messages.js";
import { type TraceRow, traceEnd } from "../tables/traces.js";
import type { TransactionRow } from "../tables/transactions.js";
import { tables } from "../tables.js";
import type { RowSet, RowSink } from "./row-set.js";

type Place = { account: Uint8Array; lt: bigint };

/** Transactions and messages, with the rows of the directories that lead to them. */
export class ChainRows {
  readonly #transactions: RowSink<TransactionRow>;
  readonly #messages: RowSink<MessageRow>;
  readonly #transactionLocators: RowSink<{ hash_prefix: bigint; lt: bigint }>;
  readonly #messageLocators: RowSink<{ hash_prefix: bigint; tx_lt: bigint }>;
  readonly #places: Place[] = [];
  readonly #participants: { account: Uint8Array; trace_id: Uint8Array }[] = [];
  #extent: Extent | undefined;

  constructor(rows: RowSet) {
    this.#transactions = rows.of(tables.transactions);
    this.#messages = rows.of(tables.messages);
    this.#transactionLocators = rows.of(tables.txLocator);
    this.#messageLocators = rows.of(tables.msgLocator);
  }

  /** What the rows span; `undefined` without rows. */
  get extent(): Extent | undefined {
    return this.#extent;
  }

  /** The trace id must be final. */
  addTransaction(row: TransactionRow): void {
    const { hash, lt, account, trace_id, now } = row;
    this.#transactions.add(row);
    this.#transactionLocators.add({ hash_prefix: hashPrefix(hash), lt });
    this.#places.push({ account, lt });
    this.#participants.push({ account, trace_id });
    this.#span(lt, lt, now);
  }

  addMessage(row: MessageRow): void {
    const { msg_hash, msg_hash_norm, tx_lt, source, destination, created_lt, created_at } = row;
    this.#messages.add(row);
    this.#messageLocators.add({ hash_prefix: hashPrefix(msg_hash), tx_lt });
    if (msg_hash_norm) this.#messageLocators.add({ hash_prefix: hashPrefix(msg_hash_norm), tx_lt });
    if (source) this.#places.push({ account: source, lt: tx_lt });
    if (destination) this.#places.push({ account: destination, lt: tx_lt });
    this.#span(tx_lt, created_lt ?? tx_lt, created_at);
  }

  /** The slots of the accounts, to be added. `slotOf` gives the beginning of the slot of an lt. */
  *accountSlots(slotOf: (lt: bigint) => bigint): Generator<AccountSlotRow> {
    const seenIn = new Map<bigint, Set<string>>();
    for (const { account, lt } of this.#places) {
      const from_lt = slotOf(lt);
      const seen = seenIn.get(from_lt) ?? new Set();
      seenIn.set(from_lt, seen);
      const key = keyOf(account);
      if (seen.has(key)) continue;
      seen.add(key);
      yield { account, from_lt };
    }
  }

  /** The traces of the accounts, to be added. Those that are not among `traces` are left out. */
  *accountTraces(traces: readonly TraceRow[]): Generator<AccountTraceRow> {
    const ends = new Map(traces.map((trace) => [keyOf(trace.trace_id), traceEnd(trace)]));
    const seen = new Set<string>();
    for (const { account, trace_id } of this.#participants) {
      const trace = keyOf(trace_id);
      const key = keyOf(account) + trace;
      const end_lt = ends.get(trace);
      if (end_lt === undefined || seen.has(key)) continue;
      seen.add(key);
      yield { account, end_lt, trace_id };
    }
  }

  #span(lt: bigint, sortLt: bigint, utime: number | undefined): void {
    const extent = this.#extent;
    if (!extent) {
      const time = utime ?? 0;
      this.#extent = { from: lt, to: lt, firstLt: sortLt, lastLt: sortLt, firstUtime: time, lastUtime: time };
      return;
    }
    if (lt < extent.from) extent.from = lt;
    if (lt > extent.to) extent.to = lt;
    if (sortLt < extent.firstLt) extent.firstLt = sortLt;
    if (sortLt > extent.lastLt) extent.lastLt = sortLt;
    if (utime === undefined) return;
    if (utime < extent.firstUtime) extent.firstUtime = utime;
    if (utime > extent.lastUtime) extent.lastUtime = utime;
  }
}

/** Bytes as a key of a Map. */
function keyOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
