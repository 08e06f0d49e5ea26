import type { TraceNode } from "../../../shared/schema/v3/traces.js";
import { amountText } from "../../../shared/text/amount-text.js";
import { shortAddress } from "../../../shared/text/answer-names.js";
import { Address } from "../../../shared/values/address.js";
import { unrun } from "../../../shared/values/failed-phase.js";
import type { DevnetTrace, DevnetTransaction } from "./trace.js";

const maxLines = 100;

/** A trace in words: a line for each transaction, below the one that sent its message, and why one failed. */
export function traceText(
  root: TraceNode,
  transactionOf: (hash: string) => DevnetTransaction,
  names: ReadonlyMap<string, string>,
  explanation: DevnetTrace["explanation"],
): string {
  const lines: string[] = [];
  // Nodes still to be shown, the next one last; traces can be as deep as they are long.
  const waiting = [{ node: root, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth } = next;
    if (node.tx_hash !== undefined)
      lines.push(`${"  ".repeat(Math.min(depth, 20))}${lineOf(transactionOf(node.tx_hash), names)}`);
    for (const child of [...node.children].reverse()) waiting.push({ node: child, depth: depth + 1 });
  }
  const left = lines.length - maxLines;
  return [
    ...lines.slice(0, maxLines),
    ...(left > 0 ? [`${left} more transactions`] : []),
    ...(explanation ? [explanation.text] : []),
  ].join("\n");
}

function lineOf(transaction: DevnetTransaction, names: ReadonlyMap<string, string>): string {
  const { from, to, value, message, op, deploy, success, exitCode, exitName, actionCode } = transaction;
  const nameOf = (address: string) =>
    names.get(address) ?? shortAddress(Address.read(address)?.address.toFriendly() ?? address);
  const code = actionCode ? `result code ${actionCode} of its actions` : exitCode && `exit code ${exitCode}`;
  const reason = [code, exitName].filter(Boolean).join(" ");
  const parts = [
    from === null ? [] : `${amountText(value, 9)} TON`,
    message ?? (op === null ? [] : `op 0x${op.toString(16).padStart(8, "0")}`),
    deploy ? "deployed" : [],
    success ? unrunText(transaction) : `failed${reason && ` with ${reason}`}`,
  ].flat();
  const way = `${from === null ? "From outside" : nameOf(from)} to ${nameOf(to)}`;
  return parts.length > 0 ? `${way}: ${parts.join(", ")}` : way;
}

/** An account without code has nothing that could be run. */
export function unrunText({ success, skippedReason: reason }: DevnetTransaction): string[] {
  return success && reason !== null && reason !== "no_state" ? [`${unrun} (${reason})`] : [];
}
