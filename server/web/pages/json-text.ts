import { escapeHtml, Markup } from "./markup.js";

// Formats JSON as text: parsing would round integers above 2^53, which are common in answers.

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Indents JSON with one member per line. Returns other text unchanged. */
export function indent(json: string): string {
  const found = jsonIn(json) !== undefined ? (json.match(tokens) ?? []) : undefined;
  if (!found) return json;
  const lines: string[] = [];
  let depth = 0;
  let line = "";
  const endLine = () => {
    lines.push(line);
    line = "  ".repeat(depth);
  };
  for (const [index, token] of found.entries()) {
    if (token === "{" || token === "[") {
      line += token;
      if (isClosing(found[index + 1])) continue;
      depth++;
      endLine();
    } else if (isClosing(token)) {
      if (!isOpening(found[index - 1])) {
        depth--;
        endLine();
      }
      line += token;
    } else if (token === ",") {
      line += token;
      endLine();
    } else line += token === ":" ? ": " : token;
  }
  return [...lines, line].join("\n");
}

/** Wraps the tokens of JSON text, which may be cut off, in elements for syntax highlighting. */
export function highlight(json: string): Markup {
  const marked = json.replace(
    /("[^"\\]*(?:\\.[^"\\]*)*"?)(\s*:)?|[^"\s{}[\],:]+|[^"]/g,
    (token, text, colon) => {
      if (text !== undefined) return mark(colon === undefined ? "string" : "name", text) + (colon ?? "");
      return /^[\s{}[\],:]$/.test(token) ? token : mark(/^[-\d]/.test(token) ? "number" : "word", token);
    },
  );
  return new Markup(marked);
}

/** The value of a JSON text; `undefined` for other text. As `ifJson` of shared/, of which pages load no script. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isOpening = (token: string | undefined) => token === "{" || token === "[";
const isClosing = (token: string | undefined) => token === "}" || token === "]";
const mark = (kind: string, text: string) => `<span class="json-${kind}">${escapeHtml(text)}</span>`;
