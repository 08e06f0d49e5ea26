import { memberOf } from "../../../shared/values/lookups.js";
import { utcText } from "../../../shared/values/utc-text.js";
import type { TraceReport } from "../report.js";
import { actionLines, labelActions } from "./actions.js";
import { explanationLines } from "./explanation.js";
import { type Line, printed, type TextStyle } from "./line.js";
import { Names } from "./names.js";
import { plain } from "./plain.js";
import { treeLines } from "./tree.js";

/** A trace as readable lines: the tree of its transactions, its actions, and their derivation if known. */
export function traceText(report: TraceReport, coin: string, style: TextStyle): string[] {
  const names = new Names(report, coin);
  const { lines: tree, numbers } = treeLines(report, names);
  const numbersOf = (hashes: readonly string[]) => shownNumbers(hashes, numbers);
  const actions = labelActions(report);
  const { explanation, trace_info: info } = report;
  const isClassified = info.classification_state !== "unclassified";
  const sections: [title: string, lines: readonly Line[]][] = [
    ["", summary(report)],
    ["Transactions", tree],
    ["Failures", failureLines(report, numbers)],
    ["Actions", [...actionLines(actions, numbersOf, names, style.columns), ...withoutActions(report)]],
    [
      "Blocks",
      explanation
        ? explanationLines(explanation, { numbers, labels: actions.labels, isClassified, numbersOf })
        : [],
    ],
    ["Hashes", hashLines(report, numbers)],
    ["Accounts", accountLines(names)],
  ];
  return sections
    .filter(([, lines]) => lines.length > 0)
    .flatMap(([title, lines], i): Line[] => [
      ...(i === 0 ? [] : [[""]]),
      ...(title === "" ? [] : [[["bold", title] as const]]),
      ...lines,
    ])
    .map((line) => printed(line, style));
}

function summary(report: TraceReport): Line[] {
  const { trace_id, external_hash, trace_info: info, mc_seqno_start, mc_seqno_end, start_utime } = report;
  const time = utcText(start_utime);
  const pending = info.pending_messages === 0 ? "" : `, ${info.pending_messages} messages not received yet`;
  const facts = `${info.trace_state}, ${info.transactions} transactions${pending}, masterchain blocks ${mc_seqno_start} to ${mc_seqno_end}, from ${time}`;
  return [
    [["bold", `Trace ${trace_id}`]],
    ...(external_hash === null ? [] : [[`external message ${external_hash}`]]),
    [facts],
    ...(report.warning === undefined ? [] : [[["yellow", plain(report.warning)] as const]]),
  ];
}

function withoutActions({ actions, explanation, trace_info: info }: TraceReport): Line[] {
  if (actions.length > 0) return [];
  const { trace_state, classification_state } = info;
  if (trace_state !== "complete") return [["  none: they are derived when the trace is complete"]];
  return [[`  none; classification: ${explanation?.state ?? classification_state}`]];
}

function failureLines({ failures = [] }: TraceReport, numbers: ReadonlyMap<string, number>): Line[] {
  return failures.map(({ transaction, text }) => [
    ["cyan", `  #${numbers.get(transaction) ?? "?"} `],
    plain(text),
  ]);
}

function hashLines({ transactions = {} }: TraceReport, numbers: ReadonlyMap<string, number>): Line[] {
  return [...numbers].map(([hash, number]) => [
    `  #${number} ${hash} `,
    ["dim", `lt ${memberOf(transactions, hash).lt}`],
  ]);
}

function accountLines(names: Names): Line[] {
  return names.shown.map((raw) => {
    const about = names.about(raw);
    return [`  ${names.short(raw)} ${names.friendly(raw)}`, ["dim", about === "" ? "" : ` ${about}`]];
  });
}

/** `#1 #3-#5`; transactions outside of the tree are omitted. */
function shownNumbers(hashes: readonly string[], numbers: ReadonlyMap<string, number>): string {
  const known = hashes.flatMap((hash) => numbers.get(hash) ?? []).sort((a, b) => a - b);
  const runs: [first: number, last: number][] = [];
  for (const number of known) {
    const run = runs.at(-1);
    if (run && run[1] + 1 === number) run[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? `#${first}` : `#${first}-#${last}`)).join(" ");
}
