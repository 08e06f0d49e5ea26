import type { Registry } from "prom-client";
import { gaugesPer } from "./metric-makers.js";

/** The usage of a key in this month. */
export type KeyNumbers = {
  readonly calls: number;
  readonly points: number;
  /** The larger part of its quotas of calls and points; absent without a quota. */
  readonly quotaRatio?: number;
};

/** `use` has a bounded number of keys. Of several processes the one that has learnt most of the others counts. */
export function watchKeys(
  registers: Registry[],
  use: () => readonly (readonly [key: string, use: KeyNumbers])[],
): void {
  const gauge = gaugesPer("key", "key", registers, use);
  gauge(
    "month_calls",
    "Calls of a key in this month (UTC), of the keys that used most",
    ({ calls }) => calls,
  );
  gauge(
    "month_points",
    "Points of a key in this month (UTC), of the keys that used most",
    ({ points }) => points,
  );
  gauge(
    "quota_used_ratio",
    "Used part of a key's monthly quota; 1 refuses its calls",
    ({ quotaRatio }) => quotaRatio,
  );
}
