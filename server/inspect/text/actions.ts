import type { Action } from "../../../shared/schema/v3/actions.js";
import { groupBy } from "../../../shared/values/groups.js";
import { valueAt } from "../../../shared/values/lookups.js";
import type { TraceReport } from "../report.js";
import { fieldTexts } from "./fields.js";
import { flow, type Line, lengthOf } from "./line.js";
import type { Names } from "./names.js";

/** Actions by label: `A1`, and `A1.1` for one within another. */
export type ActionLabels = ReadonlyMap<string, string>;

/** The actions of a trace with their labels, each followed by its parts. */
export function labelActions({ actions }: TraceReport): { ordered: Action[]; labels: ActionLabels } {
  const ids = new Set(actions.map(({ action_id }) => action_id));
  const parts = groupBy(actions, ({ parent_action_id: parent }) =>
    parent && ids.has(parent) ? parent : null,
  );
  const labels = new Map<string, string>();
  const ordered: Action[] = [];
  const open: [Action, string][] = [];
  const addParts = (of: string | null, prefix: string) =>
    open.push(
      ...(parts.get(of) ?? []).map((each, i): [Action, string] => [each, `${prefix}${i + 1}`]).reverse(),
    );
  addParts(null, "A");
  for (let next = open.pop(); next; next = open.pop()) {
    const [action, label] = next;
    ordered.push(action);
    labels.set(action.action_id, label);
    addParts(action.action_id, `${label}.`);
  }
  return { ordered, labels };
}

/** Amounts without a known unit are nanotons, except amounts of an unknown asset. */
export function actionLines(
  { ordered, labels }: { ordered: readonly Action[]; labels: ActionLabels },
  numbersOf: (hashes: readonly string[]) => string,
  names: Names,
  columns: number | undefined,
): Line[] {
  return ordered.flatMap((action) => {
    const label = valueAt(labels, action.action_id);
    const level = label.split(".").length;
    const indent = "  ".repeat(Math.min(level, 8));
    const head: Line = [
      indent,
      ["cyan", label],
      " ",
      ["bold", action.type],
      " ",
      action.success ? ["green", "ok"] : ["red", "failed"],
      " ",
      ["dim", numbersOf(action.transactions)],
    ];
    const inner = `${indent}${" ".repeat(lengthOf(label) + 1)}`;
    const amounts = (amount: string) => names.amount(amount, null);
    const details = fieldTexts(action.details as Record<string, unknown>, names, amounts);
    const sentence: Line[] = action.text === undefined ? [] : [[inner, action.text]];
    return [head, ...sentence, ...flow(details, inner, columns).map((text): Line => [text])];
  });
}
