import SQL from "sql-template-tag";
import type { Address } from "../../../../shared/values/address.js";
import { addressToBytes } from "../../address-bytes.js";
import { codeOf, directions } from "../../codes.js";
import { type Fragment, given, greatest, largestBigint, least, type TimeBounds } from "../../where.js";

/** Conditions on a message of the transaction. */
export type MessageFilter = {
  msg_hash?: readonly Uint8Array[] | undefined;
  body_hash?: Uint8Array | undefined;
  opcode?: number | undefined;
  source?: Address | undefined;
  destination?: Address | undefined;
  direction?: (typeof directions)[number] | undefined;
};

/** Members are named like the parameters. */
export type TransactionFilter = MessageFilter &
  TimeBounds & {
    workchain?: number | undefined;
    shard?: bigint | undefined;
    seqno?: number | undefined;
    mc_seqno?: number | undefined;
    account?: readonly Address[] | undefined;
    exclude_account?: readonly Address[] | undefined;
    hash?: readonly Uint8Array[] | undefined;
    lt?: bigint | undefined;
  };

/** Conditions on a row of messages, but those on its hash. */
export function messageConditions(filter: MessageFilter): (Fragment | undefined)[] {
  return [
    given(filter.body_hash, (hash) => SQL`body_hash = ${hash}`),
    given(filter.opcode, (value) => SQL`opcode = ${value | 0}`),
    given(filter.source, (address) => SQL`source = ${addressToBytes(address)}`),
    given(filter.destination, (address) => SQL`destination = ${addressToBytes(address)}`),
    given(filter.direction, (side) => SQL`direction = ${codeOf(directions, side)}`),
  ];
}

type Condition = Exclude<keyof TransactionFilter, "account" | "exclude_account">;

/** Whether the filter has no conditions but accounts and those that are `allowed`. */
export function hasOnly(filter: TransactionFilter, ...allowed: readonly Condition[]): boolean {
  return conditions.every((name) => {
    const value = filter[name];
    return value === undefined || allowed.includes(name) || (Array.isArray(value) && value.length === 0);
  });
}

export const ltNames = ["start_lt", "end_lt", "lt"] as const;

/** The lt that the filter admits, inclusive; none if they begin behind their end. */
export function ltRange({ lt, start_lt = 0n, end_lt = largestBigint }: TransactionFilter): {
  from: bigint;
  to: bigint;
} {
  return {
    from: greatest([start_lt, lt ?? start_lt]),
    to: least([end_lt, lt ?? end_lt, largestBigint]),
  };
}

/** Those on messages, but their hashes. */
const messageNames = ["body_hash", "opcode", "source", "destination", "direction"] as const;
const conditions: readonly Condition[] = [
  ...(["hash", "msg_hash", "start_utime", "end_utime", "workchain", "shard", "seqno", "mc_seqno"] as const),
  ...messageNames,
  ...ltNames,
];
