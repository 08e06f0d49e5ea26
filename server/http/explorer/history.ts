import type { TransactionId } from "../../../client/api.js";
import { html } from "../pages/markup.js";
import { failure } from "./parts/failure.js";
import { plainRowOf, rowOf, type TransactionRow, transactionRows } from "./parts/transaction-rows.js";
import type { ViewContext } from "./view.js";

const pageLength = 20;

type HistoryOptions = { readonly address: string; readonly last: TransactionId };
/** A page of the history; the next one begins where it ends. */
type Page = { readonly rows: readonly TransactionRow[]; readonly isLast: boolean };

/** The transactions of an account, newest first, page by page. */
export async function showHistory(
  context: ViewContext,
  place: HTMLElement,
  { address, last }: HistoryOptions,
): Promise<void> {
  const { signal, indexed } = context;
  if (last.lt === "0") {
    place.innerHTML = html`<p class="empty">Nothing has happened to this account yet.</p>`.text;
    return;
  }
  place.innerHTML = html`<div data-list></div><p class="more"></p>`.text;
  const list = place.querySelector<HTMLElement>("[data-list]")!;
  const foot = place.querySelector<HTMLElement>(".more")!;
  const pages = indexed ? indexedPages(context, address) : plainPages(context, address, last);
  const next = async () => {
    foot.innerHTML = html`<span class="aside" role="status">Reading…</span>`.text;
    try {
      const { rows, isLast } = await pages();
      if (signal.aborted) return;
      list.insertAdjacentHTML("beforeend", transactionRows(rows, { ...context, account: address }).text);
      foot.innerHTML = isLast ? "" : html`<button type="button">Older</button>`.text;
    } catch (error) {
      if (signal.aborted) return;
      foot.innerHTML = html`${failure(error)}<button type="button">Try again</button>`.text;
    }
  };
  foot.addEventListener("click", (event) => {
    if ((event.target as Element).closest("button")) void next();
  });
  await next();
}

function indexedPages({ call, names }: ViewContext, address: string): () => Promise<Page> {
  let end: string | undefined;
  return async () => {
    const { transactions, address_book: book } = await call("v3.transactions", {
      account: [address],
      limit: pageLength,
      ...(end !== undefined && { end_lt: (BigInt(end) - 1n).toString() }),
    });
    names.learn(book);
    end = transactions.at(-1)?.lt ?? end;
    return { rows: transactions.map(rowOf), isLast: transactions.length < pageLength };
  };
}

function plainPages({ call }: ViewContext, address: string, last: TransactionId): () => Promise<Page> {
  let from: TransactionId | undefined;
  return async () => {
    const begin = from ?? last;
    const transactions = await call("getTransactions", {
      address,
      limit: pageLength + (from ? 1 : 0),
      lt: begin.lt,
      hash: begin.hash,
    });
    // Each page starts with the last transaction of the previous one; drop it.
    const rows = from ? transactions.slice(1) : transactions;
    from = rows.at(-1)?.transaction_id ?? begin;
    return { rows: rows.map(plainRowOf), isLast: rows.length < pageLength };
  };
}
