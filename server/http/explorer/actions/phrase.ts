import type { ActionDetails, ActionType } from "../../../../shared/schema/v3-actions.js";

/** A chain value in a sentence. Views show its name and link it. */
export type Part =
  | { readonly kind: "account"; readonly address: string }
  | { readonly kind: "amount"; readonly units: bigint | undefined; readonly asset: Asset }
  /** Text written by a user. */
  | { readonly kind: "quote"; readonly text: string };

/** TON, a jetton by its master or by its name alone, or an unknown asset. */
export type Asset = "coin" | { readonly master: string } | { readonly name: string } | undefined;

export type Phrase = readonly (string | Part)[];

/** An optional value in a template: absent ones leave nothing. */
type Piece = string | number | Part | Phrase | false | undefined;

/** The sentences for some action types, each from the details of its type. */
export type Sentences = { readonly [Type in ActionType]: (details: ActionDetails[Type]) => Phrase };

/** Members of details are null if their values are unknown. */
type Unknown = null | undefined;

/** Template tag for phrases. */
export function say(words: TemplateStringsArray, ...pieces: readonly Piece[]): Phrase {
  return words.flatMap((word, index) => [word, ...partsOf(pieces[index])]).filter((part) => part !== "");
}

function partsOf(piece: Piece): Phrase {
  if (piece === undefined || piece === false) return [];
  if (typeof piece === "number") return [String(piece)];
  return typeof piece === "string" || "kind" in piece ? [piece] : piece;
}

/** An account, or a replacement text if it is unknown. */
export function who(address: string | Unknown, otherwise = "an unknown account"): Piece {
  return address ? { kind: "account", address } : otherwise;
}

export function ton(nanotons: string | Unknown): Piece {
  return { kind: "amount", units: unitsOf(nanotons), asset: "coin" };
}

/** An amount of a jetton, or of TON where a null master stands for it. */
export function asset(units: string | Unknown, master: string | Unknown): Piece {
  return { kind: "amount", units: unitsOf(units), asset: master ? { master } : "coin" };
}

/** An amount of a jetton; a null master means an unknown jetton. */
export function jetton(units: string | Unknown, master: string | Unknown): Piece {
  return { kind: "amount", units: unitsOf(units), asset: master ? { master } : undefined };
}

/** An amount of a jetton whose details give no master. */
export function jettonNamed(name: string, units: string | Unknown): Piece {
  return { kind: "amount", units: unitsOf(units), asset: { name } };
}

export function quote(text: string): Part {
  return { kind: "quote", text };
}

/** A phrase about a value, if the value is known. */
export function when<T>(value: T | Unknown, phrase: (value: T) => Phrase): Phrase | undefined {
  return value === null || value === undefined ? undefined : phrase(value);
}

/** `, saying "…"`, for actions with a comment. */
export function comment(text: string | Unknown, isEncrypted?: boolean | null): Piece {
  if (isEncrypted) return ", with an encrypted comment";
  return text ? say`, saying ${quote(text)}` : undefined;
}

/** A list that names only its first few items. */
export function list(items: readonly Piece[], most = 3): Phrase {
  const shown = items.slice(0, most).map(partsOf);
  const rest = items.length - shown.length;
  const all = rest > 0 ? [...shown, [`${rest} more`]] : shown;
  return all.flatMap((each, index) => [separator(index, all.length), ...each]).filter((part) => part !== "");
}

function separator(index: number, length: number): string {
  return index === 0 ? "" : index === length - 1 ? " and " : ", ";
}

function unitsOf(text: string | Unknown): bigint | undefined {
  return text === null || text === undefined ? undefined : BigInt(text);
}
