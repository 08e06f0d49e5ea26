import type { Trace } from "../../../../client/api.js";
import { failureOf } from "../parts/outcome.js";

/** Sums over the transactions of a trace; amounts are in nanotons. */
type Totals = {
  /** Fees collected by its transactions. */
  readonly collected: bigint;
  /** Forwarding fees, in addition. */
  readonly forwarded: bigint;
  /** Amount sent by its first transaction. */
  readonly sent: bigint;
  /** Numbers of different accounts, and of failed transactions. */
  readonly accounts: number;
  readonly failed: number;
};

export function totalsOf({ trace, transactions = {} }: Trace): Totals {
  const all = Object.values(transactions);
  const messages = all.flatMap(({ out_msgs }) => out_msgs);
  const first = transactions[trace?.tx_hash ?? ""]?.out_msgs ?? [];
  return {
    collected: sum(all.map(({ total_fees }) => total_fees)),
    forwarded: sum(messages.map(({ fwd_fee }) => fwd_fee)),
    sent: sum(first.map(({ value }) => value)),
    accounts: new Set(all.map(({ account }) => account)).size,
    failed: all.filter((transaction) => failureOf(transaction) !== undefined).length,
  };
}

function sum(amounts: readonly (string | null)[]): bigint {
  return amounts.reduce((total, amount) => total + BigInt(amount ?? 0), 0n);
}
