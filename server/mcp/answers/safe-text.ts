/**
 * Characters that a reader does not see: controls, direction marks, zero-width and tag characters, private ones, halves of pairs,
 * supplementary variation selectors. Texts of strangers can hide instructions in them. Line feeds and tabs stay.
 */
const unseen = /[^\P{Cc}\n\t]|[\p{Cf}\p{Co}\p{Cs}]|[\u{e0100}-\u{e01ef}]/gu;

/** A text of the chain with every unseen character replaced. */
export function visibleText(text: string): string {
  return text.replace(unseen, "\ufffd");
}
