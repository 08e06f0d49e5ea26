/** A server keeps the plans of prepared statements, so only so many texts have a name at a time. */
const maxNames = 500;

/** Names of prepared statements by their texts. The text that was not used for longest gives its name to a new one. */
export class StatementNames {
  readonly #names = new Map<string, string>();

  of(text: string): string {
    const name = this.#take(text) ?? this.#free();
    // The order of a map is that in which texts were used.
    this.#names.set(text, name);
    return name;
  }

  #free(): string {
    const { size } = this.#names;
    if (size < maxNames) return `s${size}`;
    const [oldest] = this.#names.keys();
    return this.#take(oldest!)!;
  }

  #take(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined) this.#names.delete(text);
    return name;
  }
}
