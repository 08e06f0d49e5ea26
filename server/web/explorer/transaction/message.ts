import type { CellContent, Message } from "../../../../client/api.js";
import { html, type Markup } from "../../pages/markup.js";
import type { AnswerNames } from "../actions/answer-names.js";
import { accountLink } from "../actions/phrase-text.js";
import { count, ton } from "../parts/amount.js";
import { cellTree } from "../parts/cell-tree.js";
import { copyButton } from "../parts/copy.js";
import { facts } from "../parts/facts.js";
import { hashText } from "../parts/hash.js";
import { record } from "../parts/record.js";
import { claimedText } from "../parts/text.js";
import { operationOf } from "./message-names.js";

/** Limit on the characters of a comment; the decoded body has the rest. */
const commentLength = 500;

/** A message with its body. Call `growCells` once the markup is in the page to draw its cells. */
export function messageView(message: Message, title: string, names: AnswerNames): Markup {
  const { source, destination, value, message_content: body, init_state: init } = message;
  const currencies = Object.entries(message.value_extra_currencies ?? {}).slice(0, 20);
  return html`<section class="message">
<h3>${title} <span class="pill">${operationOf(message)}</span></h3>
${facts(
  Object.entries({
    From: source === null ? "outside of the chain" : accountLink(source, names),
    To: destination === null ? "outside of the chain" : accountLink(destination, names),
    Value: value !== null && ton(value),
    "Extra currencies": currencies.length > 0 && currencies.map(([id, units]) => `${count(units)} of ${id} `),
    Comment: commentOf(body),
    "Forwarding fee": message.fwd_fee !== null && ton(message.fwd_fee),
    "Import fee": message.import_fee !== null && message.import_fee !== "0" && ton(message.import_fee),
    "If it fails": message.bounce !== null && (message.bounce ? "bounces" : "stays"),
    Opcode: message.opcode !== null && html`<code>${message.opcode}</code>`,
    "Logical time": message.created_lt !== null && message.created_lt,
    Hash: hashText(message.hash),
    "Normalized hash":
      message.hash_norm !== undefined && message.hash_norm !== message.hash && hashText(message.hash_norm),
  }),
)}
${body?.decoded ? html`<details class="fold" open><summary>Decoded body</summary>${record(body.decoded)}</details>` : undefined}
${body !== null && cells("Body as cells", body)}
${init !== null && cells("StateInit as cells", init)}
</section>`;
}

function commentOf(body: CellContent | null): Markup | undefined {
  const decoded = body?.decoded;
  const text = decoded?.["comment"] ?? decoded?.["text"];
  const isComment = decoded?.["@type"] === "text_comment" && typeof text === "string";
  return isComment ? html`<q>${claimedText(text, commentLength)}</q>` : undefined;
}

function cells(title: string, { body, hash }: CellContent): Markup {
  return html`<details class="fold" data-boc="${body}"><summary>${title}</summary><p class="hint">Hash ${hashText(hash)} BOC ${copyButton(body, "Copy the BOC")}</p></details>`;
}

/** Draws trees of cells when they are opened. */
export function growCells(root: Element): void {
  root.addEventListener(
    "toggle",
    (event) => {
      const opened = event.target as HTMLDetailsElement;
      const boc = opened.dataset["boc"];
      if (!opened.open || boc === undefined) return;
      delete opened.dataset["boc"];
      opened.append(cellTree(boc));
    },
    true,
  );
}
