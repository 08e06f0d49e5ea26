import { operationName } from "../../../shared/text/operations.js";
import { asClause, type ExitCode, explainExitCode } from "../../../shared/values/exit-codes/explain.js";
import { failedPhaseOf, unrun, unrunReason } from "../../../shared/values/failed-phase.js";
import { memberOf } from "../../../shared/values/lookups.js";
import type { ReportedMessage, ReportedTransaction, TraceReport } from "../report.js";
import { fieldTexts } from "./fields.js";
import type { Line, Span } from "./line.js";
import type { Names } from "./names.js";
import { plain } from "./plain.js";

/** A transaction, or a message without one, and its position in the tree. */
type Place = {
  readonly transaction: ReportedTransaction | undefined;
  readonly message: ReportedMessage | null;
  /** Prefix of its own lines and of its descendants' lines. */
  readonly guide: string;
  readonly innerGuide: string;
};

/** Deeper trees would leave no space for the text. */
const maxGuide = 45;

/** The transactions of a trace as a tree, numbered in line order. */
export function treeLines(
  report: TraceReport,
  names: Names,
): { lines: Line[]; numbers: Map<string, number> } {
  const numbers = new Map<string, number>();
  const lines: Line[] = [];
  const { receivers, roots } = readTree(report);
  const open: Place[] = roots
    .map((transaction) => ({ transaction, message: transaction.in_msg, guide: "", innerGuide: "" }))
    .reverse();
  for (let place = open.pop(); place; place = open.pop()) {
    const { transaction, message, guide, innerGuide } = place;
    if (!transaction) {
      lines.push(messageLine(message!, guide, names));
      continue;
    }
    const number = numbers.size + 1;
    numbers.set(transaction.hash, number);
    const sent = transaction.out_msgs;
    lines.push(transactionLine(transaction, { guide, number }, names));
    lines.push(...contentLines(message, sent.length > 0 ? `${innerGuide}│ ` : `${innerGuide}  `, names));
    const last = sent.length - 1;
    const places = sent.map((each, i) => ({
      transaction: receivers.get(each.hash),
      message: each,
      guide: `${innerGuide}${i === last ? "└─ " : "├─ "}`,
      innerGuide: bounded(`${innerGuide}${i === last ? "   " : "│  "}`),
    }));
    open.push(...places.reverse());
  }
  return { lines, numbers };
}

function bounded(guide: string): string {
  return guide.length <= maxGuide ? guide : `… ${guide.slice(-(maxGuide - 6))}`;
}

function readTree({ transactions = {}, transactions_order = [] }: TraceReport) {
  const all = transactions_order.map((hash) => memberOf(transactions, hash));
  const sent = new Set(all.flatMap(({ out_msgs }) => out_msgs.map(({ hash }) => hash)));
  const receivers = new Map<string, ReportedTransaction>();
  const roots: ReportedTransaction[] = [];
  for (const transaction of all) {
    const { in_msg } = transaction;
    if (in_msg && sent.has(in_msg.hash)) receivers.set(in_msg.hash, transaction);
    else roots.push(transaction);
  }
  return { receivers, roots };
}

function transactionLine(
  transaction: ReportedTransaction,
  { guide, number }: { guide: string; number: number },
  names: Names,
): Line {
  const { account, in_msg: message } = transaction;
  const about = names.about(account);
  return spaced([
    ["dim", guide.trimEnd()],
    ["cyan", `#${number}`],
    names.short(account),
    ["dim", about],
    ...(message ? messageSpans(message, names) : [plain(transaction.description.type)]),
    ...outcome(transaction, names.contracts(account)),
  ]);
}

/** A message without a receiving transaction: a log, or one still in transit. */
function messageLine(message: ReportedMessage, guide: string, names: Names): Line {
  const { destination } = message;
  const to: Span[] =
    destination === null ? ["log"] : [["yellow", "not received yet"], `to ${names.short(destination)}`];
  return spaced([["dim", guide.trimEnd()], ...to, ...messageSpans(message, names)]);
}

function messageSpans(message: ReportedMessage, names: Names): Span[] {
  const { source, destination, value, opcode, bounced } = message;
  const name = plain(operationName(message) ?? "");
  return [
    source === null ? "from outside" : destination === null || value === null ? "" : names.coins(value),
    ["bold", name === "" ? (opcode ?? "") : name],
    ["dim", name === "" ? "" : (opcode ?? "")],
    ["yellow", bounced ? "bounced" : ""],
  ];
}

function outcome(transaction: ReportedTransaction, contract: readonly string[]): Span[] {
  const { description, orig_status, end_status } = transaction;
  const { compute_ph: compute, action } = description;
  const spans: Span[] = [];
  if (orig_status !== end_status) spans.push(["yellow", `${orig_status} → ${end_status}`]);
  if (compute?.skipped === true)
    spans.push(["yellow", `${unrunReason(transaction) ? unrun : "not run"}: ${compute.reason}`]);
  else if (compute && !compute.success)
    spans.push(["red", `exit code ${explained({ code: compute.exit_code, contract })}`]);
  if (action && !action.success)
    spans.push(["red", `action result ${explained({ code: action.result_code, phase: "action" })}`]);
  spans.push(failedPhaseOf(transaction) ? ["red", "failed"] : ["green", "ok"]);
  return spans;
}

function explained(exit: ExitCode): string {
  const meaning = explainExitCode(exit);
  return meaning === undefined ? String(exit.code) : `${exit.code} (${asClause(meaning)})`;
}

/** The decoded body of a message. */
function contentLines(message: ReportedMessage | null, guide: string, names: Names): Line[] {
  const { "@type": _, type: __, ...fields } = message?.message_content?.decoded ?? {};
  const jetton = names.jettonOf(message?.destination ?? null) ?? names.jettonOf(message?.source ?? null);
  const texts = fieldTexts(fields, names, (amount) =>
    jetton === undefined ? undefined : names.amount(amount, jetton),
  );
  return texts.length === 0 ? [] : [[["dim", guide], "   ", texts.join("  ")]];
}

function spaced(spans: readonly Span[]): Line {
  const shown = spans.filter((span) => (typeof span === "string" ? span : span[1]) !== "");
  return shown.flatMap((span, i) => (i === 0 ? [span] : [" ", span]));
}
