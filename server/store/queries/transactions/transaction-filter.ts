import SQL from "sql-template-tag";
import type { Address } from "../../../../shared/values/address.js";
import { addressToBytes } from "../../address-bytes.js";
import { codeOf, directions } from "../../codes.js";
import { isAccount, isHash, isNoAccount } from "../../sql/keys.js";
import {
  capped,
  type Fragment,
  given,
  greatest,
  largestBigint,
  least,
  type TimeBounds,
} from "../../sql/where.js";

/** Conditions on a row of messages; `null` stands for no address. */
export type MessageFilter<Party = Address | null> = {
  msg_hash?: readonly Uint8Array[] | undefined;
  body_hash?: Uint8Array | undefined;
  opcode?: number | undefined;
  source?: Party | undefined;
  destination?: Party | undefined;
  direction?: (typeof directions)[number] | undefined;
};

/** Members are named like the parameters. Those on messages are met by one of the messages of a transaction. */
export type TransactionFilter = MessageFilter<Address> &
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

/** The conditions of a filter on a row of messages, except those on hashes of messages. */
export function messageConditions(filter: MessageFilter): (Fragment | undefined)[] {
  return [
    given(filter.body_hash, (hash) => isHash("body_hash", SQL`${hash}`)),
    given(filter.opcode, (value) => SQL`opcode = ${value | 0}`),
    ...partyConditions(filter),
    given(filter.direction, (side) => SQL`direction = ${codeOf(directions, side)}`),
  ];
}

function partyConditions({ source, destination }: MessageFilter): (Fragment | undefined)[] {
  const isRoute = source !== undefined && destination;
  return [
    partyCondition("source", source),
    partyCondition("destination", destination),
    isRoute
      ? SQL`route_key(source, destination) = route_key(${source && addressToBytes(source)}, ${addressToBytes(destination)})`
      : undefined,
  ];
}

function partyCondition(column: string, address: Address | null | undefined): Fragment | undefined {
  if (address === undefined) return undefined;
  return address === null ? isNoAccount(column) : isAccount(column, SQL`${addressToBytes(address)}`);
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
    from: capped(greatest([start_lt, lt ?? start_lt])),
    to: capped(least([end_lt, lt ?? end_lt])),
  };
}

const conditions: readonly Condition[] = [
  ...(["hash", "msg_hash", "start_utime", "end_utime", "seqno", "mc_seqno"] as const),
  ...(["workchain", "shard"] as const),
  ...(["body_hash", "opcode", "source", "destination", "direction"] as const),
  ...ltNames,
];
