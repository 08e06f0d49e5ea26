import { bytesKey, Dictionary } from "../../../../shared/ton/cells/dictionaries/dictionary.js";
import {
  type BlockCreateStats,
  type Counters,
  CreatorStats,
} from "../../../../shared/ton/tlb/block-create-stats.js";
import type { Rules } from "../rules.js";
import { creatorOf, type Step } from "../step.js";

const totalKey = new Uint8Array(32);
const noCounters = Dictionary.empty(bytesKey(32), CreatorStats);
const zero: Counters = { lastUpdated: 0, total: 0n, cnt2048: 0n, cnt65536: 0n };

/** Counts the step's two blocks for their validators and in total. Undefined if the configuration disables it. */
export function updateCreateStats({
  step,
  rules,
}: {
  step: Step;
  rules: Rules;
}): BlockCreateStats | undefined {
  if (!rules.has("createStats")) return undefined;
  const { blockCreateStats } = step.masterchain.master.history.value;
  const before = blockCreateStats?.kind === "plain" ? blockCreateStats.counters : noCounters;
  const count = (counters: typeof before, key: Uint8Array, kind: keyof CreatorStats) => {
    const stats = counters.get(key) ?? { mcBlocks: zero, shardBlocks: zero };
    return counters.set(key, { ...stats, [kind]: countOne(stats[kind], step.utime) });
  };
  let counters = before;
  for (const key of [creatorOf(rules, step.masterchain), totalKey])
    counters = count(counters, key, "mcBlocks");
  for (const key of [creatorOf(rules, step.basechain), totalKey])
    counters = count(counters, key, "shardBlocks");
  return { kind: "plain", counters };
}

function countOne(counters: Counters, now: number): Counters {
  const { lastUpdated, total, cnt2048, cnt65536 } = counters;
  const unit = 1n << 32n;
  const seconds = Math.max(0, now - lastUpdated);
  if (total === 0n) return { lastUpdated: now, total: 1n, cnt2048: unit, cnt65536: unit };
  return {
    lastUpdated: now,
    total: total + 1n,
    cnt2048: decay(cnt2048, seconds * 32) + unit,
    cnt65536: decay(cnt65536, seconds) + unit,
  };
}

/** Fraction bits of the fixed-point exponential. Counters are in units of 2^-32. */
const precision = 128n;
const one = 1n << precision;

/** `value * exp(-steps / 2^16)`, rounded to the nearest integer. */
export function decay(value: bigint, steps: number): bigint {
  // exp(-n - f) = exp(-1)^n * exp(-f)
  const whole = Math.floor(steps / 65_536);
  if (whole > 64) return 0n;
  let factor = exponential(BigInt(steps % 65_536) << (precision - 16n));
  const perWhole = exponential(one);
  for (let i = 0; i < whole; i++) factor = (factor * perWhole) >> precision;
  return (value * factor + (one >> 1n)) >> precision;
}

/** exp(-x) for x in 0..1, by its Taylor series. */
function exponential(x: bigint): bigint {
  let sum = one;
  let term = one;
  for (let n = 1n; term !== 0n; n++) {
    term = (-term * x) / (n << precision);
    sum += term;
  }
  return sum;
}
