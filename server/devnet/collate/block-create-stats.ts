import { bytesKey, Dictionary } from "../../cells/dictionary.js";
import { type BlockCreateStats, type Counters, CreatorStats } from "../../tlb/block-create-stats.js";
import { decay } from "./decaying-count.js";
import type { Rules } from "./rules.js";
import type { Step } from "./step.js";

const totalKey = new Uint8Array(32);
const noCounters = Dictionary.empty(bytesKey(32), CreatorStats);
const zero: Counters = { lastUpdated: 0, total: 0n, cnt2048: 0n, cnt65536: 0n };

/** Counts the step's two blocks for their validator and in total. Undefined if the configuration disables it. */
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
  const counted = [step.validator.publicKey, totalKey].map((key): [Uint8Array, CreatorStats] => {
    const { mcBlocks, shardBlocks } = before.get(key) ?? { mcBlocks: zero, shardBlocks: zero };
    return [
      key,
      { mcBlocks: countOne(mcBlocks, step.utime), shardBlocks: countOne(shardBlocks, step.utime) },
    ];
  });
  return { kind: "plain", counters: before.update(counted) };
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
