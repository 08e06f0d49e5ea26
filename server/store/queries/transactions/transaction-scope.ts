import SQL, { join } from "sql-template-tag";
import { itemAt } from "../../../../shared/values/lookups.js";
import { addressToBytes } from "../../address-bytes.js";
import type { Queries } from "../../database.js";
import { type Fragment, hasNone } from "../../sql/where.js";
import { type BlockSpan, blockSpans, shardsNamed } from "../blocks/blocks.js";
import { locateMessages, type NamedTransaction, transactionsByHash } from "../slots/locators.js";
import { type Axis, type Bounds, timesOf } from "../slots/slot-windows.js";
import { type CountedSlot, countedSlots, readSlots, type ShardName, type Slot } from "../slots/slots.js";
import { transactionsOfMessages } from "./named-transactions.js";
import { hasOnly, messageConditions, type TransactionFilter } from "./transaction-filter.js";

type NamedRow = Omit<NamedTransaction, "trace_id">;

/** Places of the transactions that match a filter. It narrows the search; the filter itself still applies. */
export type Scope = Bounds & {
  axis: Axis;
  slots: readonly Slot[];
  /** The same slots, if the list has all transactions in them of the accounts that are wanted, with the numbers of these. */
  counted: readonly CountedSlot[] | undefined;
  /** The shards that the filter names, if it names nothing narrower. */
  shards: readonly ShardName[] | undefined;
  /** The blocks that the filter names, if it names a seqno or a masterchain block. */
  blocks: readonly BlockSpan[] | undefined;
  /** The transactions that the filter names by their hashes or by hashes of messages. */
  named: readonly NamedRow[] | undefined;
  /** Whether the messages that match the filter lead to the transactions. */
  isByMessages: boolean;
};

/** `accounts`: the only ones that are wanted. `byTime`: whether the list is sorted by times. */
export async function scopeOf(
  queries: Queries,
  filter: TransactionFilter,
  { accounts, byTime }: { accounts: readonly Uint8Array[] | undefined; byTime: boolean },
): Promise<Scope> {
  const isByMessages = !hasNone(messageConditions(filter)) && !filter.msg_hash?.length;
  // Sent together: a pipelined connection answers them in fewer round trips.
  const [blocks, named, among] = await Promise.all([
    blocksOf(queries, filter),
    namedBy(queries, filter),
    slotsFor(queries, filter, { accounts, isByMessages }),
  ]);
  const bounds = byTime ? timesOf(filter) : ltBounds(filter, blocks, named);
  return { ...bounds, ...among, blocks, named, isByMessages };
}

/** The slots, and the shards if they narrow these. */
async function slotsFor(
  queries: Queries,
  filter: TransactionFilter,
  { accounts, isByMessages }: { accounts: readonly Uint8Array[] | undefined; isByMessages: boolean },
): Promise<Pick<Scope, "slots" | "counted" | "shards">> {
  const { hash, msg_hash, seqno, mc_seqno, workchain, shard } = filter;
  if (accounts && hasOnly(filter)) {
    const counted = await countedSlots(queries, accounts);
    return { slots: counted, counted, shards: undefined };
  }
  const party = isByMessages ? (filter.source ?? filter.destination) : undefined;
  const parties = accounts ?? (party && [addressToBytes(party)]);
  const { opcode, body_hash: bodyHash } = isByMessages ? filter : ({} as TransactionFilter);
  const isOfBlocks = seqno !== undefined || mc_seqno !== undefined;
  const isNarrow = accounts || isOfBlocks || hash?.length || msg_hash?.length;
  // Finding the shards of a part of a name takes longer than they save beside messages.
  const isNamed = !isByMessages || (workchain !== undefined && shard !== undefined);
  const shards = isNarrow || !isNamed ? undefined : await shardsNamed(queries, filter);
  const slots = await readSlots(queries, { accounts: parties, opcode, bodyHash, shards });
  return { slots, counted: undefined, shards: isByMessages ? undefined : shards };
}

async function namedBy(queries: Queries, filter: TransactionFilter): Promise<NamedRow[] | undefined> {
  const { msg_hash, hash } = filter;
  if (msg_hash?.length) {
    const located = await locateMessages(queries, msg_hash);
    return located.length === 0 ? [] : transactionsOfMessages(queries, located, filter);
  }
  return hash?.length ? transactionsByHash(queries, hash) : undefined;
}

async function blocksOf(
  queries: Queries,
  { workchain, shard, seqno, mc_seqno }: TransactionFilter,
): Promise<BlockSpan[] | undefined> {
  if (seqno === undefined && mc_seqno === undefined) return undefined;
  return blockSpans(queries, { workchain, shard, seqno, mc_seqno });
}

function ltBounds(
  { start_lt, end_lt, lt }: TransactionFilter,
  blocks: readonly BlockSpan[] | undefined,
  named: readonly NamedRow[] | undefined,
): Bounds & { axis: Axis } {
  const lts = named?.map(({ tx_lt }) => tx_lt);
  const from = [start_lt, lt, least(blocks?.map((block) => block.start_lt)), least(lts)];
  const to = [end_lt, lt, greatest(blocks?.map((block) => block.end_lt)), greatest(lts)];
  return { axis: "lt", from: greatest(from), to: least(to) };
}

function least(values: readonly (bigint | undefined)[] | undefined): bigint | undefined {
  return values?.reduce((a, b) => (a === undefined || (b !== undefined && b < a) ? b : a), undefined);
}

function greatest(values: readonly (bigint | undefined)[] | undefined): bigint | undefined {
  return values?.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a), undefined);
}

/** The condition that a transaction is in one of the blocks. */
export function inBlocks(blocks: readonly BlockSpan[]): Fragment {
  if (blocks.length === 0) return SQL`false`;
  const each = blocks.map(
    ({
      workchain,
      shard,
      seqno,
      start_lt,
      end_lt,
    }) => SQL`block_workchain = ${workchain} and block_shard = ${shard}
      and block_seqno = ${seqno} and lt between ${start_lt} and ${end_lt}`,
  );
  return each.length === 1 ? itemAt(each, 0) : SQL`(${join(each, " or ")})`;
}
