import { claimedText } from "../values/claimed-text.js";
import type { Words } from "./language.js";
import { account, asset, jetton, type Part, type Phrase, ton } from "./phrase.js";

// Templates of sentences:
//
//   {name}            the member of this name: an account, a number, a list, or a text, which is cut
//   {name|words}      the words, if the member is unknown; without them "an unknown account"
//   {name:TON}        an amount of nanotons
//   {name:master}     an amount of the jetton that the member `master` names
//   {name:master/TON} the same, of TON if the member `master` is null
//   {"name"}          text that a user wrote, in quotation marks
//   {name#one#other}  the form of a word that the number takes, in the order of CLDR (zero, one, two, few, many, other)
//   {?name}           nothing; for a bracket that depends on a member
//   [...]             left out if one of the members in it is unknown, empty or false

/** A word of a language, by its name in `Words.names`. */
type Word = { readonly word: string };
/** An exit code with its meaning, if known. */
export type Exit = { readonly exit: number; readonly meaning?: string | undefined };

/** A member of a template; `null`, `undefined`, `false`, "" and empty lists are unknown. */
type Member =
  | null
  | undefined
  | boolean
  | string
  | number
  | Part
  | Word
  | Exit
  | { readonly phrase: Phrase }
  | readonly Item[];
type Item = string | Part | { readonly phrase: Phrase };
export type Members = Readonly<Record<string, unknown>>;

type Writing = { readonly locale: string; readonly words: Words };

/** Limit on the entries of a list, and on the characters of a text that is no quote. */
const longestList = 3;
const longestText = 64;
const longestMeaning = 200;

const piece = /\[([^[\]]*)\]|\{([^{}]*)\}|[^[{]+/g;

/** Fills a template. */
export function fill(template: string, members: Members, writing: Writing): Phrase {
  const found: (string | Part)[] = [];
  for (const [text, optional, name] of template.matchAll(piece)) {
    if (optional !== undefined) found.push(...fillKnown(optional, members, writing));
    else if (name !== undefined)
      found.push(...(placed(name, members, writing) ?? otherwise(name, members, writing)));
    else found.push(text);
  }
  return found;
}

/** Fills an optional part; empty if one of its members is unknown. */
function fillKnown(template: string, members: Members, writing: Writing): Phrase {
  const found: (string | Part)[] = [];
  for (const [text, , name] of template.matchAll(piece)) {
    const known = name === undefined ? [text] : placed(name, members, writing);
    if (known === undefined) return [];
    found.push(...known);
  }
  return found;
}

const notation = /^(\?)?("?)(\w+)"?(?::(\w+)(\/TON)?)?(?:#([^|]*))?(?:\|(.*))?$/;

/** The phrase of a placeholder; `undefined` if its member is unknown. */
function placed(placeholder: string, members: Members, writing: Writing): Phrase | undefined {
  const [, isCondition, isQuote, name = "", master, orTon, forms] = notation.exec(placeholder) ?? [];
  const value = Object.hasOwn(members, name) ? members[name] : undefined;
  if (isCondition) return value ? [] : undefined;
  if (value === null || value === undefined || value === false || value === "") return undefined;
  if (isQuote) return [{ kind: "quote", text: String(value) }];
  if (master !== undefined) return [amountOf(String(value), { name, master, orTon }, members)];
  if (forms !== undefined) return [formOf(Number(value), forms.split("#"), writing)];
  return phraseOf(value as Member, name, writing);
}

/** For an unknown member outside of brackets. */
function otherwise(placeholder: string, members: Members, { words }: Writing): Phrase {
  const [, , , name = "", master, orTon, , replacement] = notation.exec(placeholder) ?? [];
  if (master !== undefined) return [amountOf(undefined, { name, master, orTon }, members)];
  return [replacement ?? words.unknownAccount];
}

function amountOf(
  units: string | undefined,
  { name, master, orTon }: { name: string; master: string; orTon: string | undefined },
  members: Members,
): Part {
  if (master === "TON") return ton(units, name);
  return (orTon ? asset : jetton)(units, members[master] as string | null | undefined, name);
}

function phraseOf(value: Member, role: string, writing: Writing): Phrase | undefined {
  if (typeof value === "string") return [textOrAccount(value, role)];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  if ("phrase" in value) return value.phrase;
  if ("exit" in value) {
    const meaning = value.meaning && { phrase: [claimedText(value.meaning, longestMeaning)] };
    return fill(writing.words.exit, { code: value.exit, meaning }, writing);
  }
  if ("word" in value) return [writing.words.names[value.word] ?? claimedText(value.word, longestText)];
  if ("kind" in value) return isUnknown(value) ? undefined : [value];
  return listOf(value, role, writing);
}

const isUnknown = (part: Part) => part.kind === "amount" && part.units === undefined;

function listOf(items: readonly Item[], role: string, writing: Writing): Phrase | undefined {
  if (items.length === 0) return undefined;
  const shown: Phrase[] = items
    .slice(0, longestList)
    .map((item) =>
      typeof item === "string" ? [textOrAccount(item, role)] : "phrase" in item ? item.phrase : [item],
    );
  const rest = items.length - shown.length;
  if (rest > 0) shown.push(fill(writing.words.more, { count: rest }, writing));
  const { comma, and } = writing.words;
  const separator = (at: number) => (at === 0 ? [] : [at === shown.length - 1 ? and : comma]);
  return shown.flatMap((each, at) => [...separator(at), ...each]);
}

export const rawAddress = /^-?\d{1,3}:[0-9a-f]{64}$/i;

function textOrAccount(text: string, role: string): string | Part {
  return rawAddress.test(text) ? account(text, role) : claimedText(text, longestText);
}

const categories = ["zero", "one", "two", "few", "many", "other"] as const;

function formOf(number: number, forms: readonly string[], { locale }: Writing): string {
  const rules = new Intl.PluralRules(locale);
  const own = categories.filter((each) => rules.resolvedOptions().pluralCategories.includes(each));
  return forms[own.indexOf(rules.select(number))] ?? forms.at(-1) ?? "";
}
