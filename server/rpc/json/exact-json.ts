/**
 * Whether a parsed value has numbers beyond ±(2^53 - 1), which may have lost digits. Walking the value is exact and
 * costs less than searching its text: bodies are mostly long strings.
 */
export function hasInexactNumber(value: unknown): boolean {
  if (typeof value === "number") return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return hasInexactItem(value);
  for (const name in value) {
    if (hasInexactNumber((value as Record<string, unknown>)[name])) return true;
  }
  return false;
}

/** V8 compiles this loop while it runs, so that the first long list is as quick as later ones; a call for each item waits for that. */
function hasInexactItem(items: readonly unknown[]): boolean {
  for (let at = 0; at < items.length; at++) {
    const item = items[at];
    if (typeof item === "number" ? Math.abs(item) > Number.MAX_SAFE_INTEGER : hasInexactNumber(item))
      return true;
  }
  return false;
}

/**
 * Parses text that `JSON.parse` accepts, with the same result except for integers beyond ±(2^53 - 1): they are bigint.
 * Numbers with a fraction or an exponent stay numbers, as do integers beyond the range of a double: infinite ones.
 */
export function parseExactly(text: string): unknown {
  return new ExactReader(text).read();
}

const codes = {
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openArray: 0x5b,
  backslash: 0x5c,
  closeArray: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** Whether a character follows a number or a word; NaN is the end of the text. */
function endsWord(code: number): boolean {
  return (
    !(code > codes.space) || code === codes.comma || code === codes.closeArray || code === codes.closeObject
  );
}

class ExactReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): unknown {
    switch (this.#peek()) {
      case codes.openArray:
        return this.#readArray();
      case codes.openObject:
        return this.#readObject();
      case codes.quote:
        return this.#readString();
      default:
        return this.#readWord();
    }
  }

  #readArray(): unknown[] {
    const items: unknown[] = [];
    this.#at++;
    while (this.#peek() !== codes.closeArray) items.push(this.read());
    this.#at++;
    return items;
  }

  /** `fromEntries` defines members as `JSON.parse` does, also one named `__proto__`. */
  #readObject(): object {
    const members: [string, unknown][] = [];
    this.#at++;
    while (this.#peek() !== codes.closeObject) {
      const name = this.#readString();
      members.push([name, this.read()]);
    }
    this.#at++;
    return Object.fromEntries(members);
  }

  #readString(): string {
    const start = this.#at++;
    let escaped = false;
    for (let code = this.#code(); code !== codes.quote; code = this.#code()) {
      const escapes = code === codes.backslash;
      this.#at += escapes ? 2 : 1;
      escaped ||= escapes;
    }
    const end = ++this.#at;
    return escaped
      ? (JSON.parse(this.#text.slice(start, end)) as string)
      : this.#text.slice(start + 1, end - 1);
  }

  /** A number, `true`, `false` or `null`. */
  #readWord(): unknown {
    const start = this.#at++;
    while (!endsWord(this.#code())) this.#at++;
    const word = this.#text.slice(start, this.#at);
    const number = Number(word);
    if (Number.isNaN(number)) return JSON.parse(word);
    const isRounded = Number.isFinite(number) && hasInexactNumber(number);
    return isRounded && /^-?\d+$/.test(word) ? BigInt(word) : number;
  }

  /** The first character of the next value or bracket. Valid text can be read without its commas and colons. */
  #peek(): number {
    let code = this.#code();
    while (code <= codes.space || code === codes.comma || code === codes.colon) {
      this.#at++;
      code = this.#code();
    }
    return code;
  }

  #code(): number {
    return this.#text.charCodeAt(this.#at);
  }
}
