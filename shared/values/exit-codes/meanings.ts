/** What an exit code means: a name for programs, the same for all contracts, and a sentence for people. */
export type ExitMeaning = {
  /** `expired`, `wrong-seqno`, `out-of-gas` and others. */
  readonly name: string;
  /** One sentence. */
  readonly text: string;
};

/**
 * A list of lines, each a code, a name, and its text if the name itself does not say enough. The text stands where the name
 * comes first; `known` carries it to the lists that follow.
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
