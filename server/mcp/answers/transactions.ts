import { operationName, operationNames } from "../../../shared/text/operations.js";
import { claimedText } from "../../../shared/values/claimed-text.js";
import { contractsAt, explainExitCode } from "../../../shared/values/exit-codes/explain.js";
import { failedPhaseOf, type JudgedRecord, unrunReason } from "../../../shared/values/failed-phase.js";
import { isoTime, withoutNulls } from "./actions.js";

type Members = Readonly<Record<string, unknown>>;
type Node = { readonly tx_hash?: string; readonly children?: readonly Node[] };

/** The transactions of a trace as rows, each after the one that caused it, with its depth in the tree. */
export function traceRows(
  root: unknown,
  transactions: Readonly<Record<string, Members>>,
  book: Readonly<Record<string, Members>>,
): Members[] {
  const rows: Members[] = [];
  // No recursion: traces have chains of thousands of transactions.
  const waiting: { node: Node; depth: number }[] = root ? [{ node: root as Node, depth: 0 }] : [];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth } = next;
    const transaction = transactions[node.tx_hash ?? ""];
    if (transaction) rows.push({ depth, ...transactionRow(transaction, book) });
    for (const child of [...(node.children ?? [])].reverse()) waiting.push({ node: child, depth: depth + 1 });
  }
  return rows;
}

/** A transaction as a row: the message it received, how it ended, and why it failed if it did. */
export function transactionRow(transaction: Members, book: Readonly<Record<string, Members>>): Members {
  const { hash, account, lt, now, total_fees: fees, trace_id: trace, out_msgs: sent } = transaction;
  const message = transaction["in_msg"] as Members | null | undefined;
  return {
    hash,
    account,
    time: isoTime(now),
    lt,
    ...(trace !== null && { trace_id: trace }),
    received: message ? messageRow(message) : null,
    ...outcomeOf(transaction, book),
    fees_nanotons: fees,
    messages_sent: Array.isArray(sent) ? sent.length : 0,
  };
}

function messageRow(message: Members): Members {
  const { hash, source, value, opcode, bounced } = message;
  const abi = message["abi"] as Members | null | undefined;
  // By its opcode alone a contract is only guessed.
  const named = abi && abi["by"] !== "opcode" ? claimedText(String(abi["message"])) : undefined;
  const operation = operationName(message) ?? named;
  const candidates = operation === undefined ? operationNames(message) : [];
  const content = message["message_content"] as Members | null | undefined;
  const decoded = content?.["decoded"] as Members | null | undefined;
  const { type: _, "@type": __, ...body } = decoded ?? {};
  return {
    hash,
    from: source ?? "outside of the chain",
    ...(value !== null && { value_nanotons: value }),
    ...(opcode !== null && { opcode }),
    ...(operation !== undefined && { operation }),
    ...(abi && { by_abi: abi }),
    ...(candidates.length > 0 && { possible_operations: candidates }),
    ...(bounced === true && { bounced }),
    ...(Object.keys(body).length > 0 && { body: withoutNulls(body) }),
  };
}

/** How a transaction ended: `ok` or `failed`, with the phase and the code that stopped it, and its meaning if it is known. */
function outcomeOf(transaction: Members, book: Readonly<Record<string, Members>>): Members {
  const description = (transaction["description"] ?? {}) as JudgedRecord["description"];
  const judged = { ...transaction, description };
  const phase = failedPhaseOf(judged);
  const unrun = unrunReason(judged);
  const { skipped_actions: leftOut = 0 } = description.action ?? {};
  return {
    outcome: phase ? "failed" : "ok",
    ...(unrun !== undefined && { received_without_being_run: unrun }),
    ...(leftOut > 0 && { skipped_actions: leftOut }),
    ...(phase && { why: whyFailed(phase, transaction, book) }),
  };
}

function whyFailed(
  phase: "compute" | "action",
  { account, description }: Members,
  book: Readonly<Record<string, Members>>,
): Members {
  const { compute_ph, action } = description as Members;
  const compute = (compute_ph ?? {}) as Members;
  if (compute["skipped"] === true) return { phase, not_run_because: compute["reason"] };
  const isCompute = phase === "compute";
  const code = isCompute ? compute["exit_code"] : (action as Members | undefined)?.["result_code"];
  // Actions that were left out have no code.
  if (typeof code !== "number" || (code === 0 && !isCompute)) return { phase };
  const { exit_name, exit_meaning, exit_source } = compute;
  if (isCompute && exit_meaning !== undefined)
    return { phase, exit_code: code, exit_name, exit_meaning, exit_source };
  const interfaces = book[String(account)]?.["interfaces"] as readonly string[] | undefined;
  const meaning = explainExitCode({ code, phase, contract: contractsAt(String(account), interfaces) });
  return { phase, exit_code: code, exit_meaning: meaning?.text ?? "The contract defines this code." };
}
