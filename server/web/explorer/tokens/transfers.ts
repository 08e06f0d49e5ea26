import { html } from "../../pages/markup.js";
import type { Page } from "../history/pages.js";
import { type Place, placeAfter } from "../history/place.js";
import { addressLink } from "../parts/address.js";
import { hashText, tracePath } from "../parts/hash.js";
import { timeAgo } from "../parts/time.js";
import { jettonAmount } from "../parts/tokens.js";
import type { ViewContext } from "../view.js";

const pageLength = 20;

/** Reads the transfers of a jetton, newest first. */
export function jettonTransferPages({ call, names }: ViewContext, master: string): () => Promise<Page> {
  let last: Place | undefined;
  return async () => {
    const { jetton_transfers: transfers, metadata } = await call("v3.jetton.transfers", {
      jetton_master: master,
      limit: pageLength,
      ...(last && { end_lt: last.lt, offset: last.count }),
    });
    last = placeAfter(
      transfers.map(({ transaction_lt }) => transaction_lt),
      last,
    );
    const rows = transfers.map(
      ({ source, destination, amount, trace_id: trace, transaction_now: time }) =>
        html`<li><div class="sentence">${addressLink(source, { names, bare: true })} to ${addressLink(destination, { names, bare: true })}</div>
          <div class="moves">${jettonAmount(amount, master, metadata)}</div>
          <div class="row-meta">${timeAgo(time)}${hashText(trace, tracePath)}</div></li>`,
    );
    return {
      rows: html`${rows.length > 0 && html`<ol class="rows events">${rows}</ol>`}`,
      isLast: transfers.length < pageLength,
    };
  };
}
