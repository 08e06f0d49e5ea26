import { englishActions } from "../../../../shared/text/english/english.js";
import type { Phrase } from "../../../../shared/text/phrase.js";
import { amountWords, quoteLength, textOf } from "../../../../shared/text/phrase-text.js";
import { html, type Markup } from "../../pages/markup.js";
import { accountPath, friendlyOf } from "../parts/address.js";
import { claimed } from "../parts/text.js";
import type { AnswerNames } from "./answer-names.js";

/** A phrase with links to its accounts and transactions. */
export function markupOf(phrase: Phrase, names: AnswerNames): Markup {
  return html`${phrase.map((part) => {
    if (typeof part === "string") return part;
    switch (part.kind) {
      case "account":
        return accountLink(part.address, names);
      case "amount":
        return html`<span class="amount">${amountWords(part, names, englishActions)}</span>`;
      case "quote":
        return html`<q>${claimed(part.text, quoteLength)}</q>`;
      default:
        return textOf([part], names, englishActions);
    }
  })}`;
}

/** A link to an account by its name, or the ends of its address. */
export function accountLink(address: string, names: AnswerNames): Markup {
  const { text, isName } = names.account(address);
  const friendly = friendlyOf(address);
  if (friendly === undefined) return html`${text}`;
  const kind = isName ? (names.isOwn(address) ? "named own" : "named") : "mono";
  return html`<a class="${kind}" href="${accountPath(friendly)}" title="${friendly}"><bdi>${text}</bdi></a>`;
}
