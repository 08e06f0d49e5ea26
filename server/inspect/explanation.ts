import type { Action } from "../../shared/schema/v3/actions.js";
import { addToGroup } from "../../shared/values/groups.js";
import { itemAt } from "../../shared/values/lookups.js";
import type { Block } from "../indexer/actions/block.js";
import { hex } from "../indexer/actions/pattern.js";
import type { Explanation } from "../indexer/actions/recorder.js";
import { actionIdOf } from "../indexer/actions/rows.js";
import type { ExplainedTrace } from "../indexer/classify/explain.js";
import { classificationStates } from "../store/codes.js";
import type { ReportedBlock, ReportedExplanation } from "./report.js";

/** How a trace's actions were derived, and whether they match the stored ones. */
export function reportExplanation(
  { state, error, explanation }: ExplainedTrace,
  actions: readonly Action[],
  stored: readonly Action[],
): ReportedExplanation {
  return {
    state: itemAt(classificationStates, state),
    error: error ?? null,
    differs_from_index: JSON.stringify(actions) !== JSON.stringify(stored),
    blocks: reportBlocks(explanation, new Set(actions.map(({ action_id }) => action_id))),
  };
}

function reportBlocks(explanation: Explanation, actionIds: ReadonlySet<string>): ReportedBlock[] {
  const { basicBlocks, outermostBlocks, verdicts } = explanation;
  const patterns = new Map<Block, string>();
  const wholes = new Map<Block, Block>();
  const refusals = new Map<
    Block,
    { pattern: string; reason: string; at: Block; candidates: readonly Block[] }[]
  >();
  for (const verdict of verdicts)
    if ("composite" in verdict) {
      const { composite, matcher } = verdict;
      patterns.set(composite, matcher);
      for (const part of composite.parts) wholes.set(part, composite);
    } else {
      const { anchor, matcher, refusal } = verdict;
      addToGroup(refusals, anchor, { pattern: matcher, ...refusal });
    }
  // Blocks merged after all passes are in no verdict. Helpers have no message.
  const outer = outermostBlocks.filter(({ nodes }) => nodes.length > 0);
  const blocks = [...new Set([...basicBlocks, ...patterns.keys(), ...outer])];
  const ids = new Map(blocks.map((block, id) => [block, id]));
  const isOutermost = new Set(outer);
  // The parts of a merged block belong to the new block.
  const joinedInto = (block: Block) => (isOutermost.has(block) ? undefined : block.parts[0]?.container);
  const idsOf = (some: readonly Block[]) => some.flatMap((block) => ids.get(block) ?? []);
  return blocks.map((block, id) => {
    const whole = wholes.get(block) ?? joinedInto(block);
    const actionId = actionIdOf(block);
    return {
      id,
      kind: block.kind.name,
      opcode: block.opcode === undefined ? null : hex(block.opcode),
      is_log: block.isLog,
      transactions: [...new Set(block.nodes.map(({ transaction }) => transaction.hash))],
      is_composite: id >= basicBlocks.length,
      action_id: actionIds.has(actionId) ? actionId : null,
      part_of: (whole && ids.get(whole)) ?? null,
      pattern: (whole && patterns.get(whole)) ?? null,
      refusals: (refusals.get(block) ?? []).map(({ pattern, reason, at, candidates }) => ({
        pattern,
        reason,
        at: ids.get(at) ?? id,
        candidates: idsOf(candidates),
      })),
    };
  });
}
