import type { Preview } from "../schema/v3/texts.js";
import { claimedText } from "../values/claimed-text.js";
import type { AnswerNames } from "./answer-names.js";
import { iconOf } from "./icons.js";
import type { Language, TitleKey } from "./language.js";
import type { Part, Phrase } from "./phrase.js";
import { amountWords, textOf, tokenOf } from "./phrase-text.js";

/** A sentence as text, and its parts. */
export type Described = { readonly text: string; readonly preview: Preview };

/** Describes a phrase about an action of a type, or about a message of a status (`message.pending`). */
export function described(type: string, phrase: Phrase, names: AnswerNames, language: Language): Described {
  const isMessage = type.startsWith("message.");
  return {
    text: textOf(phrase, names, language),
    preview: {
      icon: isMessage ? "message" : iconOf(type),
      title: titleOf(type, language),
      values: phrase.flatMap((part) => amountIn(part, names, language)),
      accounts: accountsOf(phrase, names),
    },
  };
}

function titleOf(type: string, { titles }: Language): string {
  return Object.hasOwn(titles, type) ? titles[type as TitleKey] : claimedText(type.replaceAll("_", " "), 60);
}

function amountIn(part: string | Part, names: AnswerNames, language: Language): Preview["values"] {
  if (typeof part === "string" || part.kind !== "amount") return [];
  const { units, asset, role = "amount" } = part;
  const { symbol, decimals = null } = tokenOf(asset, names, language);
  const master = typeof asset === "object" && "master" in asset ? asset.master : null;
  const amount = units === undefined ? null : String(units);
  return [{ role, amount, asset: master, symbol, decimals, text: amountWords(part, names, language) }];
}

/** Each account once, in its first role. */
function accountsOf(phrase: Phrase, names: AnswerNames): Preview["accounts"] {
  const found = new Map<string, Preview["accounts"][number]>();
  for (const part of phrase) {
    if (typeof part === "string" || part.kind !== "account" || found.has(part.address)) continue;
    const { text, isName } = names.account(part.address);
    found.set(part.address, {
      account: part.address,
      role: part.role ?? "account",
      name: isName ? text : null,
    });
  }
  return [...found.values()];
}
