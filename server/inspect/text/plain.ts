import { unseen } from "../../../shared/values/unseen.js";

/** Makes untrusted text from the chain safe for terminals: unseen characters are shown by their codes. */
export function plain(text: string): string {
  return text.replace(unseen, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** The beginning of a text that is too long. */
export function shortened(text: string, length: number): string {
  // A character has one or two units, so later ones need not be examined.
  const characters = [...text.slice(0, 2 * length + 2)];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}
