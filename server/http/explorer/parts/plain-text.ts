/** Characters that draw nothing, change the direction of what follows, or break the line. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+/gu;
/** Marks upon one letter beyond the two that languages need: they would be drawn over the lines around. */
const stackedMarks = /(\p{M}{2})\p{M}+/gu;

/** Text that anybody may have put on the chain, as one line of at most `limit` characters. */
export function plainText(text: string, limit = 80): string {
  // Cut first, so that the work does not grow with what is thrown away.
  const line = text
    .slice(0, 8 * limit)
    .replace(invisible, " ")
    .replace(stackedMarks, "$1")
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return characters.length <= limit && text.length <= 8 * limit
    ? line
    : `${characters.slice(0, limit - 1).join("")}…`;
}
