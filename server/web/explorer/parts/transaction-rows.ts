import type { BlockTransaction, PlainTransaction, Transaction } from "../../../../client/api.js";
import { AnswerNames, type Extras } from "../../../../shared/text/answer-names.js";
import { html, type Markup } from "../../pages/markup.js";
import { addressLink, rawOf } from "./address.js";
import { signed, ton } from "./amount.js";
import { claim } from "./claim.js";
import { hashText, transactionPath } from "./hash.js";
import { lineOf, type MessageLine, plainLineOf } from "./message-line.js";
import type { Names } from "./names.js";
import { failureOf } from "./outcome.js";
import { claimed } from "./text.js";
import { timeAgo } from "./time.js";

/** List row of a transaction. */
export type TransactionRow = {
  readonly hash: string;
  readonly account: string;
  readonly lt: string;
  readonly now: number;
  readonly fee: string;
  /** Whether `fee` includes the forwarding of messages, as in API v2. */
  readonly isFeeOfAll?: boolean;
  readonly failure?: string | undefined;
  /** Kind of a transaction without an inbound message. */
  readonly kind?: string | undefined;
  readonly incoming?: MessageLine | undefined;
  readonly outgoing: readonly MessageLine[];
};

/** Rows of transactions of API v3. `extras`: the other members of the answer, by which exit codes are explained. */
export function rowsOf(transactions: readonly Transaction[], extras: Extras): TransactionRow[] {
  const names = new AnswerNames(extras);
  return transactions.map((each) => rowOf(each, names.contracts(each.account)));
}

function rowOf(transaction: Transaction, contract: readonly string[]): TransactionRow {
  const {
    hash,
    account,
    lt,
    now,
    total_fees: fee,
    description,
    in_msg: incoming,
    out_msgs: outgoing,
  } = transaction;
  return {
    hash,
    account,
    lt,
    now,
    fee,
    failure: failureOf(transaction, contract),
    kind: description.type === "ord" ? undefined : description.type.replaceAll("_", "-"),
    incoming: incoming ? lineOf(incoming) : undefined,
    outgoing: (outgoing ?? []).map(lineOf),
  };
}

/** Row from an API v2 transaction. */
export function plainRowOf(transaction: PlainTransaction | BlockTransaction): TransactionRow {
  const { transaction_id: id, account, utime, fee, in_msg: incoming, out_msgs: outgoing } = transaction;
  return {
    hash: id.hash,
    account,
    lt: id.lt,
    now: utime,
    fee,
    isFeeOfAll: true,
    incoming: incoming && plainLineOf(incoming),
    outgoing: outgoing.map(plainLineOf),
  };
}

type RowOptions = {
  readonly names: Names;
  /** Describes messages from this account's view, so rows do not repeat its name. */
  readonly account?: string | undefined;
  /** Without an index a transaction is found only by account and logical time. */
  readonly indexed: boolean;
};

/** Limit on the outgoing messages shown per row. */
const maxOutgoing = 3;

/** Transactions as a list. */
export function transactionRows(rows: readonly TransactionRow[], options: RowOptions): Markup {
  return html`<ol class="rows events">${rows.map((row) => html`<li>${transactionRow(row, options)}</li>`)}</ol>`;
}

function transactionRow(row: TransactionRow, options: RowOptions): Markup {
  const { outgoing, failure } = row;
  const more = outgoing.length - maxOutgoing;
  const isOfOne = options.account !== undefined;
  return html`<div class="row-lines">
      ${!isOfOne && html`<strong>${addressLink(row.account, { names: options.names, bare: true })}</strong>`}
      ${!isPlainOrder(row) && incomingLine(row, options)}
      ${outgoing.slice(0, maxOutgoing).map((line) => outgoingLine(line, options))}
      ${more > 0 && html`<div class="line aside"><span class="way"></span>and ${more} more</div>`}
    </div>
    <div class="row-meta">${failure !== undefined && html`<span class="pill bad">${failure}</span>`}${timeAgo(row.now)}${hashText(row.hash, pathTo(row, options))}
      ${claimOf(row, isOfOne)}<span class="fee">fee ${ton(row.fee)}</span></div>`;
}

/** Whether a message from outside without a known body made it send others: these alone say what happened. */
const isPlainOrder = ({ incoming, outgoing }: TransactionRow): boolean =>
  incoming !== undefined &&
  incoming.source === undefined &&
  incoming.kind === undefined &&
  incoming.comment === undefined &&
  outgoing.length > 0;

/** All values of the row have one mark. */
function claimOf(row: TransactionRow, isChained: boolean): Markup {
  const { hash, account, lt, now, fee, incoming, outgoing } = row;
  return claim(["transaction", account, lt, hash, isChained], {
    hash,
    now,
    [row.isFeeOfAll ? "fee" : "total_fees"]: fee,
    ...(incoming && { in_value: incoming.value }),
    ...Object.fromEntries(
      outgoing.slice(0, maxOutgoing).map(({ value }, index) => [`out${index}_value`, value]),
    ),
  });
}

/** The path of a transaction; without an index it includes account and logical time. */
function pathTo({ account, lt }: TransactionRow, { indexed }: RowOptions): (hex: string) => string {
  return (hex) =>
    indexed
      ? transactionPath(hex)
      : `${transactionPath(hex)}?${new URLSearchParams({ account: rawOf(account) ?? account, lt })}`;
}

function incomingLine({ incoming: line, kind }: TransactionRow, { names }: RowOptions): Markup {
  if (!line) return messageLine("", { who: html`<span class="kind">${kind ?? "no message"}</span>` });
  const { source, value } = line;
  if (source === undefined)
    return messageLine("in", { who: html`<span class="none">from outside</span>`, line });
  return messageLine("in", { who: addressLink(source, { names, bare: true }), line, value });
}

function outgoingLine(line: MessageLine, { names }: RowOptions): Markup {
  const { destination, value } = line;
  if (destination === undefined)
    return messageLine("out", { who: html`<span class="none">to outside</span>`, line });
  return messageLine("out", {
    who: addressLink(destination, { names, bare: true }),
    line,
    value,
  });
}

const ways = {
  "": "",
  in: html`<span class="off-screen">from</span>←`,
  out: html`<span class="off-screen">to</span>→`,
};

type LineParts = { readonly who: Markup; readonly line?: MessageLine; readonly value?: string };

function messageLine(way: keyof typeof ways, { who, line, value }: LineParts): Markup {
  return html`<div class="line"><span class="way ${way}">${ways[way]}</span><span class="line-who">${who}</span>${line && bouncedMark(line)}<span class="line-body">${line && textOf(line)}</span>${
    value !== undefined && html`<span class="line-value">${signed(ton(value), way || undefined)}</span>`
  }</div>`;
}

/** The body of a message in words. */
export function bodyOf(line: MessageLine): Markup {
  return html`${bouncedMark(line)} ${textOf(line)}`;
}

/** Marks a bounced message. */
function bouncedMark({ isBounced }: MessageLine): Markup | false {
  return isBounced && html`<span class="pill bad">bounced</span>`;
}

function textOf({ kind, comment }: MessageLine): Markup | false {
  return comment === undefined || comment === ""
    ? kind !== undefined && html`<span class="kind">${kind.slice(0, 60)}</span>`
    : html`<q class="comment">${claimed(comment, 120)}</q>`;
}
