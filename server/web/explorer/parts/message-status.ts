import type { MessageStatus } from "../../../../client/api.js";
import { html, type Markup } from "../../pages/markup.js";
import { hashText, transactionPath } from "./hash.js";

/** Statuses of messages that have no trace. */
const withoutTrace: ReadonlySet<MessageStatus["status"]> = new Set(["dropped", "expired", "pending"]);

/** Status text of a message without a trace; `undefined` if it is unknown. */
export function messageStatusText(status: MessageStatus): Markup | undefined {
  if (!withoutTrace.has(status.status) || status.text === undefined) return undefined;
  const other = status.status === "expired" ? (status.replaced_by ?? undefined) : undefined;
  return html`${status.text}.${other && html` ${hashText(other.transaction.hash, transactionPath)}`}`;
}
