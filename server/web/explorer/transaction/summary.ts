import type { Transaction } from "../../../../client/api.js";
import { html, type Markup } from "../../pages/markup.js";
import type { AnswerNames } from "../actions/answer-names.js";
import { accountLink } from "../actions/phrase-text.js";
import { amountText, coin, ton } from "../parts/amount.js";
import { blockLink } from "../parts/block-id.js";
import { claim, type Own } from "../parts/claim.js";
import { facts } from "../parts/facts.js";
import { hashText, tracePath, transactionPath } from "../parts/hash.js";
import { outcomeOf } from "../parts/outcome.js";
import { timeOf } from "../parts/time.js";

const noHash = /^A+=?$/;

/** The outcome of a transaction, as a mark. */
export function outcomePill(transaction: Transaction, names: AnswerNames): Markup {
  const { kind, text } = outcomeOf(transaction, names.contracts(transaction.account));
  return html`<span class="pill ${kind}">${text}</span>`;
}

/** A transaction's effect on its account, its position and its cost. */
export function summary(transaction: Transaction, names: AnswerNames): Markup {
  const { account_state_before: before, account_state_after: after, description } = transaction;
  const isFirst = noHash.test(transaction.prev_trans_hash);
  const { account, lt, hash } = transaction;
  const own: Own = (values, shown) => claim(["transaction", account, lt, hash], values, shown);
  return facts(
    Object.entries({
      Account: accountLink(transaction.account, names),
      Hash: own({ hash }, hashText(hash)),
      Time: own({ now: transaction.now }, timeOf(transaction.now)),
      Type: description.type === "ord" ? false : description.type.replaceAll("_", "-"),
      Fees: own({ total_fees: transaction.total_fees }, ton(transaction.total_fees)),
      Balance:
        before.balance !== null &&
        after.balance !== null &&
        html`${ton(before.balance)} → ${ton(after.balance)} <span class="aside">(${change(before.balance, after.balance)})</span>`,
      Status: own(
        { orig_status: transaction.orig_status, end_status: transaction.end_status },
        transaction.orig_status === transaction.end_status
          ? transaction.end_status
          : `${transaction.orig_status} → ${transaction.end_status}`,
      ),
      Destroyed: description.destroyed && "The account was deleted.",
      Block: html`${blockLink(transaction.block_ref)}${transaction.finality === "finalized" ? "" : html` <span class="pill">${transaction.finality}</span>`}`,
      "Masterchain block":
        transaction.mc_block_seqno > 0 &&
        blockLink({ workchain: -1, shard: "8000000000000000", seqno: transaction.mc_block_seqno }),
      Trace: transaction.trace_id !== undefined && hashText(transaction.trace_id, tracePath),
      "Previous transaction":
        !isFirst &&
        own(
          { prev_trans_hash: transaction.prev_trans_hash },
          hashText(transaction.prev_trans_hash, transactionPath),
        ),
      "Logical time": own({ lt }, lt),
      "State before": own({ state_before: before.hash }, hashText(before.hash)),
      "State after": own(
        { state_after: after.hash },
        before.hash === after.hash ? "unchanged" : hashText(after.hash),
      ),
      Code:
        after.code_hash !== null &&
        html`${hashText(after.code_hash)}${before.code_hash !== null && before.code_hash !== after.code_hash && " changed"}`,
      Data:
        after.data_hash !== null &&
        html`${hashText(after.data_hash)}${before.data_hash !== null && before.data_hash !== after.data_hash && " changed"}`,
    }),
  );
}

function change(before: string, after: string): string {
  const difference = BigInt(after) - BigInt(before);
  return `${difference > 0n ? "+" : ""}${amountText(difference, 9)} ${coin()}`;
}
