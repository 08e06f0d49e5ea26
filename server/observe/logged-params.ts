/** Longer values are logged by their size. Addresses and hashes are shorter. */
const maxChars = 80;
/** The first bytes of a bag of cells, in hex and base64: it may be a signed message, which anybody can send. */
const bagOfCells = /b5ee9c72|te6cc/i;
/** As many words as these may be a mnemonic. */
const manyWords = 6;

type Hidden = readonly string[] | "all";

/** Parameters for a line of the log: values if that is wanted and they are short and no secrets, else sizes. */
export function loggedParams(
  params: Readonly<Record<string, unknown>>,
  { withValues, hidden }: { withValues: boolean; hidden: Hidden },
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const text = textOf(value);
      const isShown = withValues && hidden !== "all" && !hidden.includes(name) && isHarmless(text);
      return [name, isShown ? text : `(${Buffer.byteLength(text)} bytes)`];
    }),
  );
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch (error) {
    // JSON has no bigint. A call for each member takes twelve times as long, so that only values with one are written in this way.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each));
  }
}

function isHarmless(text: string): boolean {
  return text.length <= maxChars && !bagOfCells.test(text) && text.split(/\s/).length < manyWords;
}
