import type { Trace } from "../../../../client/api.js";

/** Sums over the transactions of a trace, in nanotons. */
export type Totals = {
  /** What its transactions collected. */
  readonly collected: bigint;
  /** What forwarding its messages cost besides. */
  readonly forwarded: bigint;
  /** What its first transaction sent on. */
  readonly sent: bigint;
};

export function totalsOf({ trace, transactions = {} }: Trace): Totals {
  const all = Object.values(transactions);
  const messages = all.flatMap(({ out_msgs }) => out_msgs);
  const first = transactions[trace?.tx_hash ?? ""]?.out_msgs ?? [];
  return {
    collected: sum(all.map(({ total_fees }) => total_fees)),
    forwarded: sum(messages.map(({ fwd_fee }) => fwd_fee)),
    sent: sum(first.map(({ value }) => value)),
  };
}

function sum(amounts: readonly (string | null)[]): bigint {
  return amounts.reduce((total, amount) => total + BigInt(amount ?? 0), 0n);
}
