/** Layout of text. */
export type TextStyle = {
  /** Columns of the terminal; undefined for no limit. */
  readonly columns: number | undefined;
  readonly hasColour: boolean;
};

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
type Colour = keyof typeof codes;

/** Text in the terminal's default colour or in another one. */
export type Span = string | readonly [colour: Colour, text: string];
export type Line = readonly Span[];

/** A line as printed, cut to the columns. The spans must be plain text. */
export function printed(line: Line, { columns, hasColour }: TextStyle): string {
  return cut(line, columns)
    .map((span) => {
      if (typeof span === "string") return span;
      const [colour, text] = span;
      return hasColour && text !== "" ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text;
    })
    .join("")
    .trimEnd();
}

function cut(line: Line, columns = Number.POSITIVE_INFINITY): Line {
  const length = line.reduce((sum, span) => sum + lengthOf(textOf(span)), 0);
  if (length <= columns) return line;
  const kept: Span[] = [];
  let left = columns - 1;
  for (const span of line) {
    const text = [...textOf(span)].slice(0, left).join("");
    left -= lengthOf(text);
    kept.push(typeof span === "string" ? text : [span[0], text]);
    if (left <= 0) break;
  }
  return [...kept, "…"];
}

function textOf(span: Span): string {
  return typeof span === "string" ? span : span[1];
}

/** Columns of a text without wide characters. */
export function lengthOf(text: string): number {
  return text.length < 2 ? text.length : [...text].length;
}

/** Items in as many lines as needed, each with an indent. */
export function flow(items: readonly string[], indent: string, columns = 100): string[] {
  const lines: string[] = [];
  let line = "";
  for (const item of items) {
    const longer = line === "" ? indent + item : `${line}  ${item}`;
    if (line !== "" && lengthOf(longer) > columns) {
      lines.push(line);
      line = indent + item;
    } else line = longer;
  }
  return line === "" ? lines : [...lines, line];
}
