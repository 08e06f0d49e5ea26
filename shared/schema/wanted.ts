import type { InputSchema } from "./input.js";
import { patternIn } from "./patterns.js";

/** Characters of a phrase, words of an enumeration, and characters of a pattern that a phrase has. */
const most = { phrase: 200, words: 20, pattern: 60 } as const;

/** What a parameter takes, in words with an article, by its JSON Schema: `an integer from 1 to 1000`. */
export function wantedText(schema: InputSchema): string {
  return phraseOf(schema).slice(0, most.phrase);
}

function phraseOf(schema: InputSchema): string {
  const { description, type, enum: words, anyOf } = schema;
  if (Array.isArray(words)) return `one of ${words.slice(0, most.words).join(", ")}`;
  if (typeof description === "string") return withArticle(description);
  if (Array.isArray(anyOf)) return alternatives(anyOf);
  switch (type) {
    case "string":
      return textOf(schema);
    case "integer":
    case "number":
      return numberOf(schema);
    case "array":
      return listOf(schema);
    case "null":
      return "null";
    default:
      return withArticle(String(type ?? "value"));
  }
}

/** Patterns are text forms of the other alternatives. */
function alternatives(forms: readonly InputSchema[]): string {
  const plain = forms.filter(
    ({ pattern, description }) => pattern === undefined || description !== undefined,
  );
  const phrases = (plain.length > 0 ? plain : forms).map(phraseOf);
  return [...new Set(phrases)].join(" or ");
}

function textOf(schema: InputSchema): string {
  const { contentEncoding, maxLength } = schema;
  if (contentEncoding === "base64") return "bytes in base64";
  const pattern = patternIn(schema)?.slice("(?:".length, -1) ?? schema["pattern"];
  if (typeof pattern === "string" && pattern.length <= most.pattern) return `a text that matches ${pattern}`;
  return maxLength === undefined ? "a text" : `a text of at most ${maxLength} characters`;
}

function numberOf({ type, minimum, maximum }: InputSchema): string {
  const number = withArticle(String(type));
  if (minimum === undefined) return maximum === undefined ? number : `${number} of at most ${maximum}`;
  return maximum === undefined
    ? `${number} of at least ${minimum}`
    : `${number} from ${minimum} to ${maximum}`;
}

function listOf({ items, maxItems }: InputSchema): string {
  const each = items === undefined ? "" : `, each ${phraseOf(items as InputSchema)}`;
  return `a list${maxItems === undefined ? "" : ` of at most ${maxItems} items`}${each}`;
}

/** The first sentence: `Shard in hex. It may be short.` becomes `a shard in hex`. */
function withArticle(description: string): string {
  const [sentence] = description.replace(/\.$/, "").split(". ") as [string];
  const text = sentence.charAt(0).toLowerCase() + sentence.slice(1);
  if (/^(?:an?|the) /.test(text)) return text;
  return `${/^[aeio]/.test(text) ? "an" : "a"} ${text}`;
}
