import type { Builder } from "../cells/builder.js";
import type { Slice } from "../cells/slice.js";
import { TlbError } from "./codec.js";

/** A constructor tag. It has 0 bits for constructors written `$_`, `#_` or without a name. */
export type Tag = { readonly text: string; readonly bits: number; readonly value: number };

/** Parses the tag in a constructor's name as written in the scheme: `block#11ef55aa`, `trans_ord$0000`. */
export function tagOf(name: string): Tag {
  const [, text, digits = ""] = /([#$])([0-9a-f]+)$/.exec(name) ?? [];
  if (text === "#")
    return { text: `#${digits}`, bits: 4 * digits.length, value: Number.parseInt(digits, 16) };
  if (text === "$") return { text: `$${digits}`, bits: digits.length, value: Number.parseInt(digits, 2) };
  return { text: "", bits: 0, value: 0 };
}

/** Whether the slice continues with this tag. Does not advance the slice. */
export function startsWith(slice: Slice, tag: Tag): boolean {
  return slice.remainingBits >= tag.bits && slice.preloadUint(tag.bits) === tag.value;
}

export function loadTag(slice: Slice, tag: Tag, owner: string): void {
  if (tag.bits === 0) return;
  if (!startsWith(slice, tag)) throw wrongTag(slice, owner, tag.text);
  slice.skip(tag.bits);
}

export function storeTag(tag: Tag, builder: Builder): void {
  if (tag.bits > 0) builder.storeUint(tag.value, tag.bits);
}

export function wrongTag(slice: Slice, owner: string, expected: string): TlbError {
  const shown = Math.min(slice.remainingBits, 32);
  const found = shown > 0 ? `$${slice.preloadUint(shown).toString(2).padStart(shown, "0")}` : "the end";
  return new TlbError(`${owner} starts with ${expected}, not with ${found}`);
}
