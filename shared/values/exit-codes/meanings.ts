/** The meaning of an exit code: a name for programs, common to all contracts, and a sentence for people. */
export type ExitMeaning = {
  /** `expired`, `wrong-seqno`, `out-of-gas` and others. */
  readonly name: string;
  /** One sentence. */
  readonly text: string;
};

/**
 * A list of lines, each with a code, a name, and a text if the name is not clear enough. Only the first occurrence of a
 * name has the text; `known` passes it on to later lists.
 */
export function meaningsIn(list: string, known = new Map<string, string>()): Map<number, ExitMeaning> {
  return new Map(
    list
      .trim()
      .split("\n")
      .map((line) => {
        const [code, name = "", ...words] = line.split(" ");
        const text = words.join(" ") || (known.get(name) ?? sentenceOf(name));
        known.set(name, text);
        return [Number(code), { name, text }];
      }),
  );
}

function sentenceOf(name: string): string {
  return `${name[0]!.toUpperCase()}${name.slice(1).replaceAll("-", " ")}.`;
}
