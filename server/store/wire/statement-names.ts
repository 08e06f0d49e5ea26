/** Prepared statements are never freed, so only so many texts get a name. */
const maxNames = 500;

/** Names of prepared statements by their texts. */
export class StatementNames {
  readonly #names = new Map<string, string>();

  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= maxNames) return known;
    const name = `s${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}
