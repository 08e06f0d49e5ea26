/**
 * Makes untrusted text from the chain safe for terminals: without control characters, line ends and marks that change
 * the text direction.
 */
export function plain(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}

/** The beginning of a text that is too long. */
export function shortened(text: string, length: number): string {
  // A character has one or two units, so later ones need not be examined.
  const characters = [...text.slice(0, 2 * length + 2)];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}
