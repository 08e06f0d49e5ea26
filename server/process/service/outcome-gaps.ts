import { crossedGaps } from "../../present/v3/gaps.js";
import type { Outcome } from "../../rpc/dispatch.js";
import type { Gaps, PlacedGap } from "../../store/queries/upkeep/index-gaps.js";

/** The gaps of the index that the outcome of a call crosses, as text; `undefined` if it crosses none. */
export function gapsOfOutcome(gaps: Gaps<PlacedGap>, outcome: Outcome): string | undefined {
  if (gaps.count === 0 || !outcome.call) return undefined;
  if ("error" in outcome && outcome.error.code !== "absent") return undefined;
  const { method, raw } = outcome.call;
  const json = "json" in outcome ? outcome.json : undefined;
  return crossedGaps(gaps, { definition: method.definition, values: method.params.read(raw).values, json });
}
