import { englishActions } from "../../../../shared/text/english/english.js";
import type { Part, Phrase } from "../../../../shared/text/phrase.js";
import { amountWords, quoteLength, textOf } from "../../../../shared/text/phrase-text.js";
import { html, type Markup } from "../../pages/markup.js";
import { accountPath, friendlyOf } from "../parts/address.js";
import { claimed } from "../parts/text.js";
import { jettonPath, tokenPageOf } from "../parts/tokens.js";
import type { AnswerNames } from "./answer-names.js";

/** A phrase with links to its accounts and transactions. */
export function markupOf(phrase: Phrase, names: AnswerNames): Markup {
  return html`${phrase.map((part) => {
    if (typeof part === "string") return part;
    switch (part.kind) {
      case "account":
        return accountLink(part.address, names);
      case "amount":
        return amountLink(part, names);
      case "quote":
        return html`<q>${claimed(part.text, quoteLength)}</q>`;
      default:
        return textOf([part], names, englishActions);
    }
  })}`;
}

/** An amount, of a jetton with a link to its page. */
function amountLink(part: Extract<Part, { kind: "amount" }>, names: AnswerNames): Markup {
  const words = amountWords(part, names, englishActions);
  const { asset } = part;
  const master = typeof asset === "object" && "master" in asset ? friendlyOf(asset.master) : undefined;
  if (master === undefined) return html`<span class="amount">${words}</span>`;
  return html`<a class="amount" href="${jettonPath(master)}" title="${master}">${words}</a>`;
}

/** A link to an account, or a token's page, by its name or the ends of its address. */
export function accountLink(address: string, names: AnswerNames): Markup {
  const { text, isName } = names.account(address);
  const friendly = friendlyOf(address);
  if (friendly === undefined) return html`${text}`;
  const kind = isName ? (names.isOwn(address) ? "named own" : "named") : "mono";
  const path =
    tokenPageOf([...names.interfaces(address), names.kind(address)?.replaceAll(" ", "_") ?? ""])?.path ??
    accountPath;
  return html`<a class="${kind}" href="${path(friendly)}" title="${friendly}"><bdi>${text}</bdi></a>`;
}
