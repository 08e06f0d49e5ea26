import { html, type Markup } from "../../pages/markup.js";
import { accountPath, friendlyOf } from "../parts/address.js";
import { amountText } from "../parts/amount.js";
import { coin } from "../parts/coin.js";
import { claimed, claimedText } from "../parts/text.js";
import type { AnswerNames, Token } from "./answer-names.js";
import type { Part, Phrase } from "./phrase.js";

type Amount = Extract<Part, { kind: "amount" }>;

/** Limit on the characters shown of a comment. */
const quoteLength = 160;
const tonDecimals = 9;

/** A phrase as text. */
export function textOf(phrase: Phrase, names: AnswerNames): string {
  return phrase
    .map((part) => {
      if (typeof part === "string") return part;
      if (part.kind === "account") return names.account(part.address).text;
      return part.kind === "amount" ? wordsOf(part, names) : `“${claimedText(part.text, quoteLength)}”`;
    })
    .join("");
}

/** A phrase with links to its accounts. */
export function markupOf(phrase: Phrase, names: AnswerNames): Markup {
  return html`${phrase.map((part) => {
    if (typeof part === "string") return part;
    if (part.kind === "account") return accountLink(part.address, names);
    if (part.kind === "amount") return html`<span class="amount">${wordsOf(part, names)}</span>`;
    return html`<q>${claimed(part.text, quoteLength)}</q>`;
  })}`;
}

/** A link to an account by its name, or the ends of its address. */
export function accountLink(address: string, names: AnswerNames): Markup {
  const { text, isName } = names.account(address);
  const friendly = friendlyOf(address);
  if (friendly === undefined) return html`${text}`;
  return html`<a class="${isName ? "named" : "mono"}" href="${accountPath(friendly)}" title="${friendly}"><bdi>${text}</bdi></a>`;
}

function wordsOf({ units, asset }: Amount, names: AnswerNames): string {
  const { symbol, decimals = 0 } = tokenOf(asset, names);
  return units === undefined
    ? `an unknown amount of ${symbol.replace(/^units of /, "")}`
    : `${amountText(units, decimals)} ${symbol}`;
}

function tokenOf(asset: Amount["asset"], names: AnswerNames): Token {
  if (asset === "coin") return { symbol: coin(), decimals: tonDecimals };
  if (asset === undefined) return { symbol: "units of an unknown jetton", decimals: 0 };
  return "name" in asset ? { symbol: `units of ${asset.name}`, decimals: 0 } : names.jetton(asset.master);
}
