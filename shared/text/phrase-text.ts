import { claimedText } from "../values/claimed-text.js";
import { utcText } from "../values/utc-text.js";
import { amountText } from "./amount-text.js";
import type { AnswerNames, Token } from "./answer-names.js";
import { multiplied } from "./display-multiplier.js";
import type { ActionLanguage } from "./language.js";
import type { Part, Phrase } from "./phrase.js";
import { fill, type Members } from "./template.js";

type Amount = Extract<Part, { kind: "amount" }>;

/** Limit on the characters shown of a text that a user wrote. */
export const quoteLength = 160;
const tonDecimals = 9;

/** A phrase as text: bounded, on one line, without characters that change how the text around it reads. */
export function textOf(phrase: Phrase, names: AnswerNames, language: ActionLanguage): string {
  return phrase.map((part) => (typeof part === "string" ? part : partText(part, names, language))).join("");
}

function partText(part: Part, names: AnswerNames, language: ActionLanguage): string {
  switch (part.kind) {
    case "account":
      return names.account(part.address).text;
    case "amount":
      return amountWords(part, names, language);
    case "coin":
      return names.coin;
    case "quote": {
      const [before, after] = language.words.quotes;
      return `${before}${claimedText(part.text, quoteLength)}${after}`;
    }
    case "time":
      return utcText(part.utime);
    case "transaction":
      return part.hash.slice(0, 44);
  }
}

/** An amount with its token's symbol; of a jetton with a display multiplier, the shown amount and that of the chain. */
export function amountWords({ units, asset }: Amount, names: AnswerNames, language: ActionLanguage): string {
  const { words, locale } = language;
  const { symbol: token, decimals, multiplier } = tokenOf(asset, names, language);
  const word = (template: string, members: Members) =>
    textOf(fill(template, members, language), names, language);
  if (units === undefined) return word(words.unknownAmount, { token });
  const number = (value: bigint) => amountText(value, decimals ?? 0, locale);
  const withToken = (value: bigint) =>
    `${number(value)} ${decimals === undefined ? word(words.unitsOf, { token, units: Number(value) }) : token}`;
  const shown = multiplier && multiplied(units, multiplier);
  if (shown === undefined) return withToken(units);
  // Phrases, because texts of members are cut.
  const both = { shown: { phrase: [withToken(shown)] }, onChain: { phrase: [number(units)] } };
  return word(words.multiplied, both);
}

/** The token of an amount. */
export function tokenOf(asset: Amount["asset"], names: AnswerNames, { words }: ActionLanguage): Token {
  if (asset === "coin") return { symbol: names.coin, decimals: tonDecimals };
  if (asset === undefined) return { symbol: words.unknownJetton, decimals: undefined };
  return "name" in asset ? { symbol: asset.name, decimals: undefined } : names.jetton(asset.master);
}
