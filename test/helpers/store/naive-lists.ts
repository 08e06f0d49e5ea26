// Expected lists, computed by looking at every row.
import type { BlockRow } from "../../../server/store/tables/blocks.js";
import type { MessageRow } from "../../../server/store/tables/messages.js";
import type { TransactionRow } from "../../../server/store/tables/transactions.js";
import { bytesToBase64, compareBytes } from "../../../shared/values/bytes.js";
import { bytesOf } from "./rows.js";
import type { sampleAccounts } from "./sample-index.js";

type Index = { transactions: readonly TransactionRow[]; messages: readonly MessageRow[] };

export const between = (value: number | bigint, from?: number | bigint, to?: number | bigint) =>
  (from === undefined || value >= from) && (to === undefined || value <= to);
const includes = (list: readonly Uint8Array[], bytes: Uint8Array | undefined) =>
  bytes !== undefined && list.some((each) => compareBytes(each, bytes) === 0);
const same = (bytes: Uint8Array | undefined, other: Uint8Array) =>
  bytes !== undefined && compareBytes(bytes, other) === 0;
export const inOrder = (sorted: "asc" | "desc", ...differences: readonly number[]) =>
  (differences.find((difference) => difference !== 0) ?? 0) * (sorted === "asc" ? 1 : -1);
export const difference = <T extends number | bigint | string>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);

type TransactionFilter = {
  account?: typeof sampleAccounts | undefined;
  exclude_account?: typeof sampleAccounts | undefined;
  workchain?: number | undefined;
  shard?: string | undefined;
  seqno?: number | undefined;
  mc_seqno?: number | undefined;
  lt?: bigint | undefined;
  direction?: string | undefined;
  sort: "asc" | "desc";
} & Windows &
  MessageMatch;
export type Windows = {
  start_utime?: number | undefined;
  end_utime?: number | undefined;
  start_lt?: bigint | undefined;
  end_lt?: bigint | undefined;
};
type MessageMatch = {
  msg_hash?: Uint8Array[] | undefined;
  body_hash?: Uint8Array | undefined;
  opcode?: number | undefined;
  source?: (typeof sampleAccounts)[number] | null | undefined;
  destination?: (typeof sampleAccounts)[number] | null | undefined;
  direction?: string | undefined;
};

/** The transactions that match, in order. */
export function naiveTransactions(index: Index, filter: TransactionFilter): TransactionRow[] {
  const byTime = filter.start_utime !== undefined || filter.end_utime !== undefined;
  return index.transactions
    .filter((row) => matches(index, row, filter))
    .sort((a, b) =>
      inOrder(
        filter.sort,
        byTime ? difference(a.now, b.now) : 0,
        difference(a.lt, b.lt),
        compareBytes(a.account, b.account),
      ),
    );
}

function matches(index: Index, row: TransactionRow, filter: TransactionFilter): boolean {
  const { account: wanted, exclude_account: unwanted } = filter;
  const shard = filter.shard && BigInt.asIntN(64, BigInt(`0x${filter.shard}`));
  return (
    (!wanted || includes(wanted.map(bytesOf), row.account)) &&
    (!unwanted || !includes(unwanted.map(bytesOf), row.account)) &&
    (filter.workchain === undefined || row.block_workchain === filter.workchain) &&
    (shard === undefined || row.block_shard === shard) &&
    (filter.seqno === undefined || row.block_seqno === filter.seqno) &&
    (filter.mc_seqno === undefined || row.mc_block_seqno === filter.mc_seqno) &&
    (filter.lt === undefined || row.lt === filter.lt) &&
    between(row.now, filter.start_utime, filter.end_utime) &&
    between(row.lt, filter.start_lt, filter.end_lt) &&
    (!asksForMessage(filter) ||
      index.messages.some((message) => same(row.hash, message.tx_hash) && messageMatches(message, filter)))
  );
}

function asksForMessage({ msg_hash, body_hash, opcode, source, destination }: MessageMatch): boolean {
  return [msg_hash, body_hash, opcode, source, destination].some((value) => value !== undefined);
}

function messageMatches(row: MessageRow, filter: MessageMatch): boolean {
  const { msg_hash, body_hash, opcode, source, destination, direction } = filter;
  const isAt = (bytes: Uint8Array | undefined, wanted: typeof source) =>
    wanted === undefined || (wanted === null ? bytes === undefined : same(bytes, bytesOf(wanted)));
  return (
    (!msg_hash || includes(msg_hash, row.msg_hash) || includes(msg_hash, row.msg_hash_norm)) &&
    (!body_hash || same(row.body_hash, body_hash)) &&
    (opcode === undefined || row.opcode === (opcode | 0)) &&
    isAt(row.source, source) &&
    isAt(row.destination, destination) &&
    (direction === undefined || row.direction === (direction === "in" ? 0 : 1))
  );
}

export type MessageListFilter = MessageMatch &
  Windows & {
    exclude_externals?: boolean | undefined;
    only_externals?: boolean | undefined;
    sort: "asc" | "desc";
  };

/** The messages that match, each once and in order. */
export function naiveMessages(index: Index, filter: MessageListFilter): MessageRow[] {
  const byTime = filter.start_utime !== undefined || filter.end_utime !== undefined;
  const byLt = filter.start_lt !== undefined || filter.end_lt !== undefined;
  const rows = index.messages.filter(
    (row) =>
      messageMatches(row, filter) &&
      !(filter.exclude_externals && row.created_lt === undefined) &&
      !(filter.only_externals && row.created_lt !== undefined) &&
      (!byTime ||
        (row.created_at !== undefined && between(row.created_at, filter.start_utime, filter.end_utime))) &&
      (!byLt || (row.created_lt !== undefined && between(row.created_lt, filter.start_lt, filter.end_lt))),
  );
  const keyOf = (row: MessageRow) => (byTime ? row.created_at! : (row.created_lt ?? row.tx_lt));
  const once = new Map(
    rows.map((row) => [`${Buffer.from(row.msg_hash).toString("hex")} ${keyOf(row)}`, row]),
  );
  return [...once.values()].sort((a, b) =>
    inOrder(filter.sort, difference(keyOf(a), keyOf(b)), compareBytes(a.msg_hash, b.msg_hash)),
  );
}

type BlockFilter = Windows & {
  workchain?: number | undefined;
  /** In hex. */
  shard?: string | undefined;
  seqno?: number | undefined;
  mc_seqno?: number | undefined;
  /** In base64. */
  root_hash?: string | undefined;
  file_hash?: string | undefined;
  sort: "asc" | "desc";
};

/** The blocks that match, in order: those of the masterchain before the shard blocks of their time. */
export function naiveBlocks(blocks: readonly BlockRow[], filter: BlockFilter): BlockRow[] {
  const { workchain, shard, seqno, mc_seqno, root_hash, file_hash } = filter;
  const is = <T>(wanted: T | undefined, value: T) => wanted === undefined || value === wanted;
  return blocks
    .filter(
      (row) =>
        is(workchain, row.workchain) &&
        is(shard, BigInt.asUintN(64, row.shard).toString(16)) &&
        is(seqno, row.seqno) &&
        is(mc_seqno, row.mc_block_seqno) &&
        is(root_hash, bytesToBase64(row.root_hash)) &&
        is(file_hash, bytesToBase64(row.file_hash)) &&
        between(row.gen_utime, filter.start_utime, filter.end_utime) &&
        between(row.start_lt, filter.start_lt, filter.end_lt),
    )
    .sort((a, b) =>
      inOrder(
        filter.sort,
        difference(a.gen_utime, b.gen_utime),
        difference(b.workchain, a.workchain),
        difference(a.shard, b.shard),
        difference(a.seqno, b.seqno),
      ),
    );
}
