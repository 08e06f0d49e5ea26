import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { isAccount } from "../../sql/keys.js";
import { all, type Fragment, given, greatest, keyList, least, type TimeBounds } from "../../sql/where.js";
import { countedSlots } from "../slots/slots.js";
import { ltRange } from "./transaction-filter.js";

/** A slot with transactions of an account. `from` and `to` bound the lt to be searched, and `n` counts the account's transactions. */
export type AccountPart = {
  /** Start of the slot. */
  slot: bigint;
  from: bigint;
  to: bigint;
  n: bigint;
  /** Times of the slot; null if it has none stored. */
  first_utime: bigint | null;
  last_utime: bigint | null;
};

/** The slots of an account that may have transactions within bounds, the newest first. */
export async function partsOfAccount(
  queries: Queries,
  account: Uint8Array,
  bounds: TimeBounds,
): Promise<AccountPart[]> {
  const range = ltRange(bounds);
  const [since, until] = [BigInt(bounds.start_utime ?? 0), BigInt(bounds.end_utime ?? 2 ** 32)];
  const counted = await countedSlots(queries, [account], range);
  return counted.toReversed().flatMap(({ from_lt, to_lt, n, first_utime, last_utime }) => {
    const part = {
      slot: from_lt,
      from: greatest([from_lt, range.from]),
      to: least([to_lt - 1n, range.to]),
      n,
      first_utime,
      last_utime,
    };
    const isOutside = (first_utime ?? since) > until || (last_utime ?? until) < since;
    return n === 0n || part.from > part.to || isOutside ? [] : [part];
  });
}

/** An item of a FROM list that yields the parts, as rows `part`. */
export function partRows(parts: readonly AccountPart[]): Fragment {
  const column = (name: "slot" | "from" | "to") =>
    keyList(
      "bigint",
      parts.map((part) => part[name]),
    );
  return SQL`unnest(${column("slot")}, ${column("from")}, ${column("to")}) part(slot, from_lt, to_lt)`;
}

/** Bounds of the lt of all parts, at least one. Executors leave the other partitions out. */
export function spanOf(parts: readonly AccountPart[]): { from: bigint; to: bigint } {
  return { from: least(parts.map(({ from }) => from)), to: greatest(parts.map(({ to }) => to)) };
}

/**
 * The condition that a transaction is of an account, in row `part`, and within times: transactions_by_account. Times become lt first, by
 * transactions_by_account_time, as both rise together.
 */
export function ofAccountIn(
  parts: readonly AccountPart[],
  account: Uint8Array,
  { start_utime, end_utime }: TimeBounds,
): Fragment {
  return all(
    SQL`account = ${account} and ${inParts(parts)}`,
    given(
      start_utime,
      (time) => SQL`lt >= (${ofAccount(parts, account)} and now >= ${time} order by now, lt limit 1)`,
    ),
    given(end_utime, (time) => SQL`lt <= ${lastOfAccount(parts, account, SQL`now <= ${time}`)}`),
  );
}

/** The lt of an account's last transaction in row `part` of which a condition on the time is true. */
export function lastOfAccount(
  parts: readonly AccountPart[],
  account: Uint8Array,
  condition: Fragment,
): Fragment {
  return SQL`(${ofAccount(parts, account)} and ${condition} order by now desc, lt desc limit 1)`;
}

function ofAccount(parts: readonly AccountPart[], account: Uint8Array): Fragment {
  return SQL`select lt from transactions where ${isAccount("account", SQL`${account}`)} and ${inParts(parts)}`;
}

function inParts(parts: readonly AccountPart[]): Fragment {
  const { from, to } = spanOf(parts);
  return SQL`lt between ${from} and ${to} and lt between part.from_lt and part.to_lt`;
}
