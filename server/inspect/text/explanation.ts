import { itemAt } from "../../../shared/values/lookups.js";
import type { ReportedBlock, ReportedExplanation, ReportedRefusal } from "../report.js";
import type { ActionLabels } from "./actions.js";
import type { Line } from "./line.js";

type BlockContext = {
  numbers: ReadonlyMap<string, number>;
  labels: ActionLabels;
  /** Whether the index has classified the trace. */
  isClassified: boolean;
  numbersOf: (hashes: readonly string[]) => string;
};

/** For each block, the pattern that took it, and the reasons of the patterns that failed with it as their anchor. */
export function explanationLines(explanation: ReportedExplanation, context: BlockContext): Line[] {
  const lines = summaryLines(explanation, context);
  const names = blockNames(explanation.blocks, context);
  const order = [...explanation.blocks].sort((a, b) => placeOf(a, context) - placeOf(b, context));
  for (const block of order) {
    const { part_of, pattern, refusals, is_composite, action_id, transactions } = block;
    const label = action_id === null ? undefined : context.labels.get(action_id);
    lines.push([
      "  ",
      ["cyan", itemAt(names, block.id)],
      ...(is_composite ? ([["dim", ` of ${context.numbersOf(transactions)}`]] as const) : []),
      label === undefined ? "" : `, action ${label}`,
      ": ",
      ...takenBy(part_of === null ? undefined : itemAt(names, part_of), pattern),
    ]);
    for (const refusal of refusals) lines.push(refusalLine(refusal, names, block.id));
  }
  return lines;
}

function summaryLines(
  { state, error, differs_from_index }: ReportedExplanation,
  { isClassified }: BlockContext,
): Line[] {
  const lines: Line[] = [];
  if (state === "broken") lines.push(["  ", ["yellow", "A pattern marked the trace as broken."]]);
  if (state === "failed" || error !== null)
    lines.push([
      "  ",
      ["red", `The trace could not be classified, its messages stand for it: ${error ?? ""}`],
    ]);
  if (!isClassified) lines.push(["  ", ["yellow", "The index has not classified the trace yet."]]);
  else if (differs_from_index)
    lines.push([
      "  ",
      [
        "yellow",
        "The index has other actions: contracts have changed since, or another version derived them.",
      ],
    ]);
  return lines;
}

function takenBy(whole: string | undefined, pattern: string | null): Line {
  if (whole === undefined) return [["dim", "part of no other block"]];
  if (pattern === null) return [`joined into ${whole} after all patterns`];
  return ["taken by ", ["green", pattern], `, part of ${whole}`];
}

function refusalLine(
  { pattern, reason, at, candidates }: ReportedRefusal,
  names: readonly string[],
  own: number,
): Line {
  const where = at === own ? "" : `, at ${names[at]}`;
  const there = candidates.length === 0 ? "" : `; there: ${candidates.map((id) => names[id]).join(", ")}`;
  return ["      ", ["yellow", pattern], ` did not match: ${reason}${where}${there}`];
}

/** `#3 0x0f8a7ea5`, `log of #3 0x9c610de3`, `B1 jetton_transfer`. */
function blockNames(blocks: readonly ReportedBlock[], { numbers }: BlockContext): string[] {
  let composites = 0;
  return blocks.map(({ is_composite, is_log, kind, opcode, transactions }) => {
    if (is_composite) return `B${++composites} ${kind}`;
    const number = `#${numbers.get(transactions[0] ?? "") ?? "?"}`;
    return `${is_log ? "log of " : ""}${number} ${kind === "call_contract" && opcode !== null ? opcode : kind}`;
  });
}

/** Sort key: blocks of messages in tree order, then the others. */
function placeOf(
  { id, is_composite, is_log, transactions }: ReportedBlock,
  { numbers }: BlockContext,
): number {
  if (is_composite) return Number.MAX_SAFE_INTEGER / 2 + id;
  return (numbers.get(transactions[0] ?? "") ?? 0) + (is_log ? 0.5 : 0);
}
