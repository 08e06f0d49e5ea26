import type { Action, Transaction } from "../../../../client/api.js";
import { memberOf } from "../../../../shared/values/lookups.js";
import { html, type Markup } from "../../pages/markup.js";
import { showActions } from "../actions/action-list.js";
import { AnswerNames, type Extras } from "../actions/answer-names.js";
import { growCells } from "../parts/cell-tree.js";
import { claim, type Own } from "../parts/claim.js";
import { shareButton } from "../parts/copy.js";
import { needsIndex } from "../parts/failure.js";
import { hashText, hexOf, transactionPath } from "../parts/hash.js";
import { failureOf } from "../parts/outcome.js";
import { whyLink } from "../parts/why-link.js";
import { messageView } from "../transaction/message.js";
import { messageOf } from "../transaction/message-claims.js";
import { phases } from "../transaction/phases.js";
import { plainTransaction } from "../transaction/plain-transaction.js";
import { outcomePill, summary } from "../transaction/summary.js";
import { growLog } from "../transaction/vm-log.js";
import { growWhy } from "../transaction/why.js";
import type { View, ViewContext } from "../view.js";

/** A transaction by its hash. */
export const showTransaction: View = async (context) => {
  const { root, params, indexed, title } = context;
  const hash = hexOf(memberOf(params, "hash"));
  title(`Transaction ${hash?.slice(0, 8) ?? ""}`.trim());
  growCells(root);
  if (hash === undefined)
    return tell(root, html`<p class="empty">The address has no hash of a transaction: 64 hex digits.</p>`);
  if (!indexed) return showByBlocks(context, hash);
  const { transaction, extras, byMessage } = await find(context, hash);
  if (!transaction)
    return tell(root, html`<p class="empty">The index has no transaction ${hashText(hash)}.</p>`);
  const { actions, ...names } = await context.call("v3.actions", {
    tx_hash: [transaction.hash],
    sort: "asc",
    limit: 100,
    include_abi: true,
    include_text: true,
  });
  const hasFailed = failureOf(transaction) !== undefined;
  const known = new AnswerNames(
    { address_book: { ...extras.address_book, ...names.address_book }, metadata: names.metadata },
    context.names,
  );
  show(
    context,
    { transaction, actions, known },
    html`${byMessage && html`<p class="hint">This received the message with the hash that was asked for.</p>`}
<p class="page-tools">${hasRun(transaction) && whyLink(transaction.hash, hasFailed ? {} : { text: "Every step" })}${shareButton(transactionPath(hash))}</p>
<div class="dense">${summary(transaction, known)}</div>
${hasFailed && transaction.in_msg !== null && html`<details class="why fold"><summary>Why it failed, and what to do</summary></details>`}
${actions.length > 0 && html`<h2>What happened</h2><div data-part="actions"></div>`}
<h2>Phases</h2>${phases(transaction.description, known.contracts(transaction.account))}
<h2>Messages</h2>${messages(transaction, known)}
${context.devnet && html`<h2>Machine</h2><details class="vm-log fold"><summary>Log of the machine, by running the transaction again</summary></details>`}`,
  );
};

/** Whether the machine ran, or the actions that it ordered: ticks of empty contracts have no steps. */
function hasRun({ description: { compute_ph } }: Transaction): boolean {
  return compute_ph !== undefined && !compute_ph.skipped;
}

type Found = { transaction: Transaction | undefined; extras: Extras; byMessage: boolean };

/** Finds a transaction by its hash, or by the hash of the message it received. */
async function find({ call }: ViewContext, hash: string): Promise<Found> {
  const { transactions, ...extras } = await call("v3.transactions", {
    hash: [hash],
    limit: 1,
    include_abi: true,
  });
  if (transactions[0]) return { transaction: transactions[0], extras, byMessage: false };
  const received = await call("v3.transactionsByMessage", {
    msg_hash: [hash],
    direction: "in",
    limit: 1,
    include_abi: true,
  });
  return { transaction: received.transactions[0], extras: received, byMessage: true };
}

function tell(root: HTMLElement, content: Markup): void {
  root.innerHTML = html`<h1 tabindex="-1">Transaction</h1>${content}`.text;
}

type Shown = {
  readonly transaction: Transaction;
  readonly actions: readonly Action[];
  readonly known: AnswerNames;
};

function show({ root, call }: ViewContext, { transaction, actions, known }: Shown, content: Markup): void {
  root.innerHTML = html`<h1 tabindex="-1">Transaction ${outcomePill(transaction, known)}</h1>${content}`.text;
  const happened = root.querySelector("[data-part=actions]");
  if (happened) showActions(happened, actions, known);
  const why = root.querySelector<HTMLDetailsElement>(".why");
  if (why && transaction.in_msg)
    growWhy(why, { hash: transaction.hash, message: transaction.in_msg.hash }, known, { call });
  const log = root.querySelector<HTMLDetailsElement>(".vm-log");
  if (log) growLog(log, { hash: transaction.hash, contract: known.contracts(transaction.account) }, { call });
}

function messages({ in_msg, out_msgs, account, lt, hash }: Transaction, names: AnswerNames): Markup {
  const own: Own = (values, shown) => claim(["transaction", account, lt, hash], values, shown);
  if (!in_msg && out_msgs.length === 0)
    return html`<p class="empty">None: the network runs this contract by itself.</p>`;
  return html`${in_msg !== null && messageView(in_msg, "In", names, messageOf(own, "in"))}${out_msgs.map((message, index) => messageView(message, `Out ${index + 1}`, names, messageOf(own, `out${index}`)))}`;
}

/** Without an index a transaction is found by account and logical time, which links from accounts contain. */
async function showByBlocks({ root, query, call, names }: ViewContext, hash: string): Promise<void> {
  const [address, lt] = [query.get("account"), query.get("lt")];
  if (address === null || lt === null)
    return tell(root, needsIndex("Finding a transaction by its hash alone"));
  const [transaction] = await call("getTransactions", { address, lt, hash, limit: 1 });
  tell(
    root,
    transaction
      ? plainTransaction(transaction, names)
      : html`<p class="empty">The account has no such transaction.</p>`,
  );
}
