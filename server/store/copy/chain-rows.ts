import { codeOf, traceStates } from "../codes.js";
import type { Extent } from "../queries/slots/slots.js";
import { latin1Text as keyOf } from "../sql/row-bytes.js";
import { tables } from "../tables/all-tables.js";
import type { BlockHourRow, BlockRow } from "../tables/blocks.js";
import {
  type AccountSlotRow,
  type AccountTraceRow,
  type BodySlotRow,
  hashPrefix,
  type OpcodeSlotRow,
  type ShardSlotRow,
} from "../tables/directories.js";
import {
  accountOf,
  type MessageContentRow,
  type MessageRow,
  type StoredContentRow,
} from "../tables/messages.js";
import { type TraceRow, traceEnds } from "../tables/traces.js";
import type { TransactionRow } from "../tables/transactions.js";
import type { RowSet, RowSink } from "./row-set.js";

const pending = codeOf(traceStates, "pending");

const hourSec = 3600;

/** The account is for divided indexes alone. */
type Locator = { hash_prefix: bigint; account: Uint8Array | undefined };

/** Place of an account's transaction (`n` is 1) or message (0). */
type Place = { account: Uint8Array; lt: bigint; n: number };

/** Place of a shard's block or transaction. */
type ShardPlace = { workchain: number; shard: bigint; seqno: number; lt: bigint };

/** Use of a body or a state init: by a message of a transaction of an account. */
type ContentUse = { hash: Uint8Array; lt: bigint; account: Uint8Array | undefined };

/** Blocks, transactions and messages, with the rows of the directories that lead to them. */
export class ChainRows {
  readonly #blocks: RowSink<BlockRow>;
  readonly #blockLocators: RowSink<{ hash_prefix: bigint; start_lt: bigint }>;
  readonly #transactions: RowSink<TransactionRow>;
  readonly #messages: RowSink<MessageRow>;
  readonly #transactionLocators: RowSink<Locator & { lt: bigint }>;
  readonly #messageLocators: RowSink<Locator & { tx_lt: bigint }>;
  readonly #places: Place[] = [];
  readonly #opcodes: { opcode: number; lt: bigint }[] = [];
  readonly #shards: ShardPlace[] = [];
  readonly #hours = new Map<number, BlockHourRow>();
  readonly #bodies: ContentUse[] = [];
  readonly #stateInits: ContentUse[] = [];
  readonly #contents = new Map<string, MessageContentRow>();
  readonly #participants: { account: Uint8Array; trace_id: Uint8Array }[] = [];
  #extent: Extent | undefined;

  readonly #isDivided: boolean;

  constructor(rows: RowSet) {
    this.#isDivided = rows.isDivided;
    this.#blocks = rows.of(tables.blocks);
    this.#blockLocators = rows.of(tables.blockLocator);
    this.#transactions = rows.of(tables.transactions);
    this.#messages = rows.of(tables.messages);
    this.#transactionLocators = rows.of(tables.txLocator);
    this.#messageLocators = rows.of(tables.msgLocator);
  }

  /** Span of the rows; `undefined` without rows. */
  get extent(): Extent | undefined {
    return this.#extent;
  }

  addBlock(row: BlockRow): void {
    const { workchain, shard, seqno, start_lt, gen_utime, root_hash, file_hash, mc_block_seqno } = row;
    this.#blocks.add(row);
    for (const hash of [root_hash, file_hash])
      this.#blockLocators.add({ hash_prefix: hashPrefix(hash), start_lt });
    this.#shards.push({ workchain, shard, seqno, lt: start_lt });
    this.#addToHour(row);
    const extent = this.#span(start_lt, start_lt, gen_utime);
    extent.firstSeqno = Math.min(extent.firstSeqno ?? mc_block_seqno, mc_block_seqno);
    extent.lastSeqno = Math.max(extent.lastSeqno ?? mc_block_seqno, mc_block_seqno);
  }

  /** The trace id must be final. */
  addTransaction(row: TransactionRow): void {
    const { hash, lt, account, trace_id, now } = row;
    const { block_workchain: workchain, block_shard: shard, block_seqno: seqno } = row;
    this.#transactions.add(row);
    this.#transactionLocators.add({ hash_prefix: hashPrefix(hash), lt, account });
    this.#places.push({ account, lt, n: 1 });
    this.#participants.push({ account, trace_id });
    this.#shards.push({ workchain, shard, seqno, lt });
    this.#span(lt, lt, now);
  }

  addMessage(row: MessageRow): void {
    const { msg_hash, msg_hash_norm, tx_lt, source, destination, opcode, created_lt, created_at } = row;
    const { body_hash, init_state_hash } = row;
    const account = this.#isDivided ? accountOf(row) : undefined;
    this.#messages.add(row);
    for (const hash of msg_hash_norm ? [msg_hash, msg_hash_norm] : [msg_hash])
      this.#messageLocators.add({ hash_prefix: hashPrefix(hash), tx_lt, account });
    if (source) this.#places.push({ account: source, lt: tx_lt, n: 0 });
    if (destination) this.#places.push({ account: destination, lt: tx_lt, n: 0 });
    if (opcode !== undefined) this.#opcodes.push({ opcode, lt: tx_lt });
    this.#bodies.push({ hash: body_hash, lt: tx_lt, account });
    if (init_state_hash) this.#stateInits.push({ hash: init_state_hash, lt: tx_lt, account });
    this.#span(tx_lt, created_lt ?? tx_lt, created_at);
  }

  /** Widens what the rows span to the ends of traces, which may be those of transactions from before. */
  spanTraces(traces: readonly TraceRow[]): void {
    for (const { state, end_lt, end_utime } of traces)
      if (state !== pending) this.#span(end_lt, end_lt, end_utime);
  }

  /** Adds the body or the state init of a message. */
  addContent(row: MessageContentRow): void {
    this.#contents.set(keyOf(row.hash), row);
  }

  /** Whether a body or state init was added. */
  hasContent(hash: Uint8Array): boolean {
    return this.#contents.has(keyOf(hash));
  }

  /** The sums of the blocks, to be added to those of their hours. */
  blockHours(): Iterable<BlockHourRow> {
    return this.#hours.values();
  }

  /** The slots of the accounts, to be added. `slotOf` gives the beginning of the slot of an lt. */
  *accountSlots(slotOf: (lt: bigint) => bigint): Generator<AccountSlotRow> {
    const rowsIn = new Map<bigint, Map<string, AccountSlotRow>>();
    for (const { account, lt, n } of this.#places) {
      const from_lt = slotOf(lt);
      const rows = rowsIn.get(from_lt) ?? new Map<string, AccountSlotRow>();
      rowsIn.set(from_lt, rows);
      const key = keyOf(account);
      const row = rows.get(key);
      if (row) row.n += n;
      else rows.set(key, { account, from_lt, n });
    }
    for (const rows of rowsIn.values()) yield* rows.values();
  }

  /** The slots of the opcodes, to be added. */
  *opcodeSlots(slotOf: (lt: bigint) => bigint): Generator<OpcodeSlotRow> {
    const isNew = onceInSlot<number>();
    for (const { opcode, lt } of this.#opcodes) {
      const from_lt = slotOf(lt);
      if (isNew(opcode, from_lt)) yield { opcode, from_lt };
    }
  }

  /** The slots of the bodies, to be added. */
  *bodySlots(slotOf: (lt: bigint) => bigint): Generator<BodySlotRow> {
    const isNew = onceInSlot<bigint>();
    for (const { hash, lt } of this.#bodies) {
      const [hash_prefix, from_lt] = [hashPrefix(hash), slotOf(lt)];
      if (isNew(hash_prefix, from_lt)) yield { hash_prefix, from_lt };
    }
  }

  /** The slots of the shards, to be widened. */
  *shardSlots(slotOf: (lt: bigint) => bigint): Generator<ShardSlotRow> {
    const rows = new Map<string, ShardSlotRow>();
    for (const { workchain, shard, seqno, lt } of this.#shards) {
      const from_lt = slotOf(lt);
      const key = `${workchain} ${shard} ${from_lt}`;
      const row = rows.get(key);
      if (!row) {
        rows.set(key, { workchain, shard, from_lt, first_seqno: seqno, last_seqno: seqno });
      } else {
        row.first_seqno = Math.min(row.first_seqno, seqno);
        row.last_seqno = Math.max(row.last_seqno, seqno);
      }
    }
    yield* rows.values();
  }

  /**
   * Bodies and state inits in the slots of their messages, to be added. Those that were not added are left out. In a divided
   * index each account has its own.
   */
  *messageContents(slotOf: (lt: bigint) => bigint): Generator<StoredContentRow> {
    const isNew = onceInSlot<string>();
    for (const uses of [this.#bodies, this.#stateInits])
      for (const { hash, lt, account } of uses) {
        const [key, from_lt] = [keyOf(hash), slotOf(lt)];
        const content = this.#contents.get(key);
        if (!content || !isNew(account ? key + keyOf(account) : key, from_lt)) continue;
        yield Object.assign({ ...content, from_lt }, account && { account });
      }
  }

  /** The traces of the accounts, to be added. Those that are not among `traces` are left out. */
  *accountTraces(traces: readonly TraceRow[]): Generator<AccountTraceRow> {
    const ends = new Map(traces.map((trace) => [keyOf(trace.trace_id), traceEnds(trace)]));
    const seen = new Set<string>();
    for (const { account, trace_id } of this.#participants) {
      const trace = keyOf(trace_id);
      const key = keyOf(account) + trace;
      const own = ends.get(trace);
      if (own === undefined || seen.has(key)) continue;
      seen.add(key);
      yield { account, ...own, trace_id };
    }
  }

  #addToHour({ gen_utime, tx_count, total_fees }: BlockRow): void {
    const utime = gen_utime - (gen_utime % hourSec);
    const hour = this.#hours.get(utime) ?? { utime, n: 0n, tx_count: 0n, total_fees: 0n };
    this.#hours.set(utime, hour);
    hour.n++;
    hour.tx_count += BigInt(tx_count);
    hour.total_fees += total_fees;
  }

  #span(lt: bigint, sortLt: bigint, utime: number | undefined): Extent {
    const extent = this.#extent;
    if (!extent) {
      const time = utime ?? 0;
      this.#extent = { from: lt, to: lt, firstLt: sortLt, lastLt: sortLt, firstUtime: time, lastUtime: time };
      return this.#extent;
    }
    if (lt < extent.from) extent.from = lt;
    if (lt > extent.to) extent.to = lt;
    if (sortLt < extent.firstLt) extent.firstLt = sortLt;
    if (sortLt > extent.lastLt) extent.lastLt = sortLt;
    if (utime === undefined) return extent;
    if (utime < extent.firstUtime) extent.firstUtime = utime;
    if (utime > extent.lastUtime) extent.lastUtime = utime;
    return extent;
  }
}

/** Tells of pairs of a key and a slot whether they are asked for the first time. */
function onceInSlot<Key>(): (key: Key, slot: bigint) => boolean {
  const seenIn = new Map<bigint, Set<Key>>();
  return (key, slot) => {
    const seen = seenIn.get(slot) ?? new Set();
    seenIn.set(slot, seen);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
}
