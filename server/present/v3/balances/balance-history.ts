import { shardHex } from "../../../store/declare/wire-forms.js";
import {
  type BalancePoint,
  type Interval,
  periodOf,
} from "../../../store/queries/accounts/balance-history.js";
import type { TimeBounds } from "../../../store/sql/where.js";

/** The last points of their blocks or days within bounds, from points that come newest first. */
export function lastOfPeriods(
  points: readonly BalancePoint[],
  interval: Interval,
  { start_utime = 0, end_utime = 2 ** 32, start_lt = 0n, end_lt = 2n ** 64n }: TimeBounds,
): BalancePoint[] {
  const found = new Map<string, BalancePoint>();
  for (const point of points) {
    const { lt, now } = point;
    if (lt < start_lt || lt > end_lt || now < start_utime || now > end_utime) continue;
    const period = periodOf(point, interval);
    if (!found.has(period)) found.set(period, point);
  }
  return [...found.values()];
}

/** A page of these points; one more than it has shows where the next page begins. */
export function presentBalances(points: readonly BalancePoint[], limit: number) {
  return {
    history: points.slice(0, limit).map((point) => ({
      utime: Number(point.now),
      lt: String(point.lt),
      balance: String(point.balance),
      block_ref: {
        workchain: point.block_workchain,
        shard: shardHex.present(point.block_shard),
        seqno: point.block_seqno,
      },
      mc_block_seqno: point.mc_block_seqno,
    })),
    next_end_lt: points[limit] ? String(points[limit].lt) : null,
  };
}
