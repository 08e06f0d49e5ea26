import type { CellContent, Message } from "../../../../client/api.js";
import { readBag } from "../../../../client/values/bag-of-cells.js";
import {
  isDeployment,
  operationName,
  operationNames,
  tgWalletRequest,
} from "../../../../shared/text/operations.js";
import { html, type Markup } from "../../pages/markup.js";
import type { AnswerNames } from "../actions/answer-names.js";
import { accountLink } from "../actions/phrase-text.js";
import { count, ton } from "../parts/amount.js";
import { hexOfBits, ifReadable } from "../parts/cells.js";
import type { Own } from "../parts/claim.js";
import { copyButton } from "../parts/copy.js";
import { facts } from "../parts/facts.js";
import { hashText } from "../parts/hash.js";
import { operationLabel } from "../parts/message-line.js";
import { claimedText } from "../parts/text.js";
import { bodyByAbi, decodedBody } from "./bodies.js";
import { operationOf } from "./message-names.js";

/** Limit on the characters of a comment; the decoded body has the rest. */
const commentLength = 500;
const signatureBits = 512;

/**
 * A message with its body. Call `growCells` once the markup is in the page to draw its cells. `own`: marks its values as
 * those of a transaction.
 */
export function messageView(
  message: Message,
  title: string,
  names: AnswerNames,
  own: Own = (_, shown) => html`${shown}`,
): Markup {
  const { source, destination, value, message_content: body, init_state: init } = message;
  const currencies = Object.entries(message.value_extra_currencies ?? {}).slice(0, 20);
  return html`<section class="message">
<h3>${title} <span class="pill">${operationOf(message)}</span></h3>
${facts(
  Object.entries({
    From: source === null ? "outside of the chain" : accountLink(source, names),
    To: destination === null ? "outside of the chain" : accountLink(destination, names),
    Value: value !== null && own({ value }, ton(value)),
    "Extra currencies": currencies.length > 0 && currencies.map(([id, units]) => `${count(units)} of ${id} `),
    Comment: commentOf(body),
    "Forwarding fee": message.fwd_fee !== null && own({ fwd_fee: message.fwd_fee }, ton(message.fwd_fee)),
    "Import fee":
      message.import_fee !== null &&
      message.import_fee !== "0" &&
      own({ import_fee: message.import_fee }, ton(message.import_fee)),
    "If it fails": message.bounce !== null && (message.bounce ? "bounces" : "stays"),
    Opcode: opcodeOf(message),
    "Logical time":
      message.created_lt !== null && own({ created_lt: message.created_lt }, message.created_lt),
    Hash: own({ hash: message.hash }, hashText(message.hash)),
    "Normalized hash":
      message.hash_norm !== undefined && message.hash_norm !== message.hash && hashText(message.hash_norm),
  }),
)}
${body?.decoded ? decodedBody(body.decoded, candidatesOf(message)) : undefined}
${message.abi ? bodyByAbi(message.abi) : undefined}
${body !== null && cells("Body as cells", body)}
${init !== null && cells("StateInit as cells", init)}
</section>`;
}

/** Names of the operations that a message may have, if the opcode does not say which. */
function candidatesOf(message: Message): readonly string[] {
  return operationName(message) === undefined ? operationNames(message) : [];
}

/** A deployment's body has no opcode: it begins with data. */
function opcodeOf(message: Message): Markup | false {
  const signed = signedOpcodeOf(message);
  if (signed !== undefined)
    return html`<code>${signed}</code> <span class="aside">behind the signature</span>`;
  const candidates = candidatesOf(message).slice(0, 20).map(operationLabel);
  if (message.opcode === null || isDeployment(message)) return false;
  return html`<code>${message.opcode}</code>${
    candidates.length > 0 &&
    html`<details class="forms"><summary class="quiet-summary">not known for sure: possible names</summary><ul>${candidates.map((name) => html`<li>${name}</li>`)}</ul></details>`
  }`;
}

/** The opcode of a request to Telegram's wallet. */
function signedOpcodeOf(message: Message): string | undefined {
  const { message_content: body } = message;
  if (body === null || tgWalletRequest(message) === undefined) return undefined;
  const bits = ifReadable(() => readBag(body.body))?.bits.slice(signatureBits, signatureBits + 32);
  return bits && `0x${hexOfBits(bits)}`;
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
