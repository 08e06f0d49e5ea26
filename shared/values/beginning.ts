/** Stands for what is left out of a value. */
const more = "…";

/**
 * The beginning of a value, for texts and lists that show what a caller sent: a copy whose JSON has little more characters
 * than `most`. Texts beyond `mostOfText` are cut, and the copy ends with the mark `…` where it leaves something out. It takes
 * the time of what is shown, not of the whole value, and integers become text, as JSON has no bigint.
 */
export function beginningOf(value: unknown, most: number, mostOfText = most): unknown {
  return new Walk(most, mostOfText).copy(value);
}

/** The beginning of a value in at most `most` characters and three dots: a text as it is, anything else as JSON. */
export function shownValue(value: unknown, most: number): string {
  const beginning = beginningOf(value, most);
  const text = typeof beginning === "string" ? beginning : (JSON.stringify(beginning) ?? "");
  return text.length > most ? `${text.slice(0, most)}...` : text;
}

class Walk {
  /** Characters that may still be shown. */
  #left: number;
  readonly #mostOfText: number;

  constructor(most: number, mostOfText: number) {
    this.#left = most;
    this.#mostOfText = mostOfText;
  }

  copy(value: unknown): unknown {
    if (typeof value === "object" && value !== null)
      return Array.isArray(value) ? this.#copyList(value) : this.#copyMembers(value);
    const plain = typeof value === "bigint" ? String(value) : value;
    const shown = typeof plain === "string" ? this.#cut(plain) : plain;
    this.#left -= String(shown).length;
    return shown;
  }

  #copyList(list: readonly unknown[]): unknown[] {
    const copy: unknown[] = [];
    for (const item of list) {
      if (--this.#left < 0) return [...copy, more];
      copy.push(this.copy(item));
    }
    return copy;
  }

  #copyMembers(members: object): object {
    const copy: [string, unknown][] = [];
    for (const name in members) {
      if (--this.#left < 0) {
        copy.push([more, more]);
        break;
      }
      this.#left -= name.length;
      copy.push([this.#cut(name), this.copy((members as Record<string, unknown>)[name])]);
    }
    // Defines a member named `__proto__` like any other.
    return Object.fromEntries(copy);
  }

  #cut(text: string): string {
    if (text.length <= this.#mostOfText) return text;
    // Written and parsed, because a slice keeps the whole text in memory.
    const beginning: string = JSON.parse(JSON.stringify(text.slice(0, this.#mostOfText)));
    return `${beginning}… (${text.length} characters)`;
  }
}
