import { createHash } from "node:crypto";
import { address, bigint, hash, integer, nullable, opcode, shard } from "../declare/columns.js";
import { type RowOf, table } from "../declare/table.js";

/** In divided indexes locators have the account of the transaction, by which one shard has what they lead to. */
const withAccount = { column: "account", type: nullable(address) };

/** The logical times of the transactions whose hashes begin with a prefix. */
export const txLocator = table("tx_locator", {
  columns: { hash_prefix: bigint, lt: bigint },
  key: ["hash_prefix", "lt"],
  uniqueBy: false,
  spreadBy: "hash_prefix",
  divideBy: { column: "hash_prefix" },
  widenBy: withAccount,
});

/** The logical times of the transactions of messages whose hashes, or normalized hashes, begin with a prefix. */
export const msgLocator = table("msg_locator", {
  columns: { hash_prefix: bigint, tx_lt: bigint },
  key: ["hash_prefix", "tx_lt"],
  uniqueBy: false,
  spreadBy: "hash_prefix",
  divideBy: { column: "hash_prefix" },
  widenBy: withAccount,
});

/** The start of the blocks whose root or file hashes begin with a prefix. */
export const blockLocator = table("block_locator", {
  columns: { hash_prefix: bigint, start_lt: bigint },
  key: ["hash_prefix", "start_lt"],
  uniqueBy: false,
  spreadBy: "hash_prefix",
  divideBy: { column: "hash_prefix" },
});

export type AccountSlotRow = RowOf<typeof accountSlots.columns>;

/** The slots that have a transaction of an account, or a message from or to it. `n` transactions of it are there. */
export const accountSlots = table("account_slots", {
  columns: { account: address, from_lt: bigint, n: integer },
  key: ["account", "from_lt"],
  merge: { add: ["n"] },
  slotColumn: "from_lt",
  spreadBy: "account",
  divideBy: { column: "account" },
});

export type OpcodeSlotRow = RowOf<typeof opcodeSlots.columns>;

export type BodySlotRow = RowOf<typeof bodySlots.columns>;

/** The slots that may have a message with a body whose hash begins with a prefix. */
export const bodySlots = table("body_slots", {
  columns: { hash_prefix: bigint, from_lt: bigint },
  key: ["hash_prefix", "from_lt"],
  merge: "keep",
  slotColumn: "from_lt",
  spreadBy: "hash_prefix",
  divideBy: { column: "hash_prefix" },
});

export type ShardSlotRow = RowOf<typeof shardSlots.columns>;

/**
 * The slots that may have a block or a transaction of a shard, and bounds of the seqnos of its blocks in them. After a
 * revert some may have none, and bounds be wider.
 */
export const shardSlots = table("shard_slots", {
  columns: { workchain: integer, shard, from_lt: bigint, first_seqno: integer, last_seqno: integer },
  key: ["workchain", "shard", "from_lt"],
  merge: { widen: { from: "first_seqno", to: "last_seqno" } },
  slotColumn: "from_lt",
  spreadBy: "shard",
});

export type AccountTraceRow = RowOf<typeof accountTraces.columns>;

/** The slots that may have a message with an opcode. After a revert some may have none. */
export const opcodeSlots = table("opcode_slots", {
  columns: { opcode, from_lt: bigint },
  key: ["opcode", "from_lt"],
  merge: "keep",
  slotColumn: "from_lt",
});

/** The traces of an account by their ends, see `traceEnds`. */
export const accountTraces = table("account_traces", {
  columns: { end_lt: bigint, end_utime: bigint, account: address, trace_id: hash },
  key: ["account", "end_lt", "trace_id"],
  uniqueBy: [
    "hash_prefix(trace_id)",
    "account_key(account)",
    "account_rest(account)",
    "account_end(account)",
  ],
  merge: "keep",
  spreadBy: "account",
  divideBy: { column: "account" },
});

/** The first eight bytes of a hash, in the order of hashes, as `hash_prefix` in SQL. */
export function hashPrefix(hash: Uint8Array): bigint {
  return new DataView(hash.buffer, hash.byteOffset, 8).getBigUint64(0) - signBit;
}

const signBit = 2n ** 63n;

/** The key of an account, as `account_key` in SQL. */
export function accountKey(account: Uint8Array): bigint {
  return hashPrefix(createHash("sha256").update(account).digest());
}
