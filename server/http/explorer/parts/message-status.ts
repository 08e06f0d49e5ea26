import type { MessageStatus } from "../../../../client/api.js";
import { html, type Markup } from "../../pages/markup.js";
import { hashText, transactionPath } from "./hash.js";
import { timeOf } from "./time.js";

/** Status text of a message without a trace; `undefined` if it is unknown. */
export function messageStatusText(status: MessageStatus): Markup | undefined {
  switch (status.status) {
    case "dropped":
      return html`The message was sent (${timeOf(status.sent_utime)}), but no block has it, and nodes do not keep it any more.`;
    case "expired": {
      const { reason, replaced_by: other, wallet } = status;
      if (reason === "valid_until")
        return html`The message expired before a block had it${wallet.valid_until !== null && html` (${timeOf(wallet.valid_until)})`}.`;
      return html`The message can never be accepted: another one has used its seqno${other !== null && html`, in transaction ${hashText(other.transaction.hash, transactionPath)}`}.`;
    }
    case "pending":
      return html`The message waits for a block.`;
    default:
      return undefined;
  }
}
