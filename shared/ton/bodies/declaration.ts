/**
 * A TL-B constructor, declared in one line:
 *
 *     name#0f8a7ea5 query_id amount:Coins payload:?^Cell
 *     jetton$0001 workchain_id:int8 address:bits256 = Asset
 *
 * Without `= Type` the constructor is a message body. `?T` is `(Maybe T)`, `^T` a reference, `[a:T b:T]` an anonymous
 * record; a field without a type is a `uint64`; the fields of `_:T` are fields of the record itself. `declared.ts` parses
 * the same notation into types.
 */
export type Declaration = {
  /** `_` for a constructor without a name. */
  readonly name: string;
  /** The bits that the constructor begins with, as text of zeros and ones. */
  readonly tag: string;
  readonly fields: readonly Field[];
  /** `undefined` for a body. */
  readonly type: string | undefined;
};

export type Field = { readonly name: string; readonly type: TypeNode };

export type TypeNode =
  | { readonly kind: "apply"; readonly name: string; readonly parameters: readonly TypeNode[] }
  | { readonly kind: "record"; readonly fields: readonly Field[] };

/** Parses one declaration a line, ignoring empty lines; throws a TypeError if one is malformed. */
export function parseDeclarations(text: string): Declaration[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => new Line(line).declaration());
}

/** Parses one line from left to right. */
class Line {
  readonly #words: string[];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    // `=` before the type is a separate word; within a word it prescribes a number (`uint8=4`).
    this.#words = text.match(/[()[\]^?:]|[^\s()[\]^?:]+/g) ?? [];
  }

  declaration(): Declaration {
    const [, name = "", sign, digits = ""] = /^([\w,]+)(?:([#$])(\w+))?$/.exec(this.#take()) ?? [];
    const fields = this.#fields((word) => word === undefined || word === "=");
    const type = this.#words.shift() === "=" ? this.#take() : undefined;
    if (name === "" || this.#words.length > 0) throw this.#wrong();
    return { name, tag: tagOf(sign, digits), fields, type };
  }

  #fields(isEnd: (word: string | undefined) => boolean): Field[] {
    const fields: Field[] = [];
    while (!isEnd(this.#words[0])) {
      const name = this.#take();
      if (!/^\w+$/.test(name)) throw this.#wrong();
      if (this.#words[0] !== ":") fields.push({ name, type: named("uint64") });
      else {
        this.#take();
        fields.push({ name, type: this.#type() });
      }
    }
    return fields;
  }

  #type(): TypeNode {
    const word = this.#take();
    if (word === "?") return named("Maybe", this.#type());
    if (word === "^") return named("Ref", this.#type());
    if (word === "[") return { kind: "record", fields: this.#closed("]") };
    if (word !== "(") return named(word);
    const name = this.#take();
    const parameters: TypeNode[] = [];
    while (this.#words[0] !== ")") parameters.push(this.#type());
    this.#take();
    return named(name, ...parameters);
  }

  #closed(bracket: string): Field[] {
    const fields = this.#fields((word) => word === undefined || word === bracket);
    this.#take();
    return fields;
  }

  #take(): string {
    const word = this.#words.shift();
    if (word === undefined) throw this.#wrong();
    return word;
  }

  #wrong(): TypeError {
    return new TypeError(`not a declaration: ${this.#text}`);
  }
}

function named(name: string, ...parameters: TypeNode[]): TypeNode {
  return { kind: "apply", name, parameters };
}

function tagOf(sign: string | undefined, digits: string): string {
  if (sign !== "#") return digits;
  return Array.from(digits, (digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
}
