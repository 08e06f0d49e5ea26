import type { PlainMessage, PlainTransaction } from "../../../../client/api.js";
import { html, type Markup } from "../../pages/markup.js";
import { addressLink } from "../parts/address.js";
import { ton } from "../parts/amount.js";
import { claim, type Own } from "../parts/claim.js";
import { facts } from "../parts/facts.js";
import { hashText } from "../parts/hash.js";
import type { Names } from "../parts/names.js";
import { claimedText } from "../parts/text.js";
import { timeOf } from "../parts/time.js";
import { whyLink } from "../parts/why-link.js";
import { messageOf } from "./message-claims.js";

/** A transaction in the form of API v2: with messages, without phases. */
export function plainTransaction(transaction: PlainTransaction, names: Names): Markup {
  const { account, transaction_id: id, in_msg, out_msgs } = transaction;
  const own: Own = (values, shown) => claim(["transaction", account, id.lt, id.hash], values, shown);
  const place = { account, lt: id.lt };
  return html`<p class="page-tools">${whyLink(id.hash, { text: "Every step", place })}</p><div class="dense">${facts(
    Object.entries({
      Account: addressLink(account, { names }),
      Hash: own({ hash: id.hash }, hashText(id.hash)),
      Time: own({ now: transaction.utime }, timeOf(transaction.utime)),
      Fees: own(
        { fee: transaction.fee, storage_fee: transaction.storage_fee },
        html`${ton(transaction.fee)} <span class="aside">${ton(transaction.storage_fee)} for storage</span>`,
      ),
      "Logical time": own({ lt: id.lt }, id.lt),
    }),
  )}</div>
<p class="hint">Phases, decoded bodies and the trace need the index of this service, which is turned off.</p>
<details class="fold" data-boc="${transaction.data}"><summary>Transaction as cells</summary></details>
<h2>Messages</h2>
${in_msg && plainMessage(in_msg, { title: "In", own: messageOf(own, "in") }, names)}
${out_msgs.map((message, index) => plainMessage(message, { title: `Out ${index + 1}`, own: messageOf(own, `out${index}`) }, names))}`;
}

function plainMessage(
  { source, destination, value, fwd_fee, hash, msg_data, message }: PlainMessage,
  { title, own }: { readonly title: string; readonly own: Own },
  names: Names,
): Markup {
  const body = msg_data["@type"] === "msg.dataRaw" ? msg_data.body : undefined;
  return html`<section class="message"><h3>${title}</h3>
${facts(
  Object.entries({
    From: source === "" ? "outside of the chain" : addressLink(source, { names }),
    To: destination === "" ? "outside of the chain" : addressLink(destination, { names }),
    Value: source !== "" && destination !== "" && own({ value }, ton(value)),
    Comment:
      msg_data["@type"] === "msg.dataText" &&
      message !== undefined &&
      html`<q>${claimedText(message, 500)}</q>`,
    "Forwarding fee": fwd_fee !== "0" && own({ fwd_fee }, ton(fwd_fee)),
    Hash: own({ hash }, hashText(hash)),
  }),
)}
${body && html`<details class="fold" data-boc="${body}"><summary>Body as cells</summary></details>`}</section>`;
}
