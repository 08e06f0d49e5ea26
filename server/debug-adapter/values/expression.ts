import { RequestError } from "../service-calls.js";
import type { Scalar, Tree } from "./tree.js";

/** Longest expression, in characters, and deepest one. */
const maxLength = 1000;
const maxDepth = 32;
/** Cells that an expression decodes: each may be large. */
const maxDecoded = 4;

export type Names = {
  /** The value of a name; undefined if there is no such name. */
  readonly lookup: (name: string) => Tree | undefined;
  /** A cell by a type of the contract's ABI. Throws a RequestError. */
  readonly decode: (value: Tree, type: string) => Tree;
};

/**
 * The value of an expression: numbers, texts, names with paths to their parts, comparisons, `&& || !`, and `decode(cell, Type)`, whose type
 * is a name or a text. Expressions change nothing, and there are no other calls.
 */
export function evaluate(text: string, names: Names): Tree {
  if (text.length > maxLength) throw new RequestError(`an expression may have ${maxLength} characters`);
  return new Evaluation(tokensOf(text), names).whole();
}

/** Whether an expression may need the contract's ABI. */
export function mayDecode(text: string): boolean {
  return text.includes("decode");
}

/** Whether an expression is true: neither false, nor null, nor zero. */
export function isTrue({ scalar }: Tree): boolean {
  return scalar !== undefined && scalar !== false && scalar !== null && scalar !== 0n;
}

type Token = { readonly kind: "number" | "text" | "name" | "sign" | "end"; readonly text: string };
const end: Token = { kind: "end", text: "" };

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const whole = text.trimEnd();
  const token =
    /\s*(?:(?<number>0x[\da-f]{1,64}|\d{1,80})|"(?<text>[^"]{0,200})"|(?<name>[a-z_$~][\w$?']{0,100})|(?<sign>\|\||&&|[=!<>]=|[!<>(),.[\]-]))/iy;
  for (token.lastIndex = 0; token.lastIndex < whole.length; ) {
    const { lastIndex } = token;
    const groups = token.exec(whole)?.groups;
    const [kind, found] = Object.entries(groups ?? {}).find(([, each]) => each !== undefined) ?? [];
    if (kind === undefined || found === undefined)
      throw new RequestError(`the expression cannot be read from character ${lastIndex + 1} on`);
    tokens.push({ kind: kind as Token["kind"], text: found });
  }
  return tokens;
}

class Evaluation {
  readonly #tokens: readonly Token[];
  readonly #names: Names;
  #at = 0;
  #depth = 0;
  #decoded = 0;

  constructor(tokens: readonly Token[], names: Names) {
    this.#tokens = tokens;
    this.#names = names;
  }

  whole(): Tree {
    const value = this.#either();
    const { kind, text } = this.#token;
    if (kind !== "end") throw new RequestError(`the expression has ${text} where it should end`);
    return value;
  }

  get #token(): Token {
    return this.#tokens[this.#at] ?? end;
  }

  #takes(sign: string): boolean {
    const { kind, text } = this.#token;
    if (kind !== "sign" || text !== sign) return false;
    this.#at++;
    return true;
  }

  #needs(sign: string): void {
    if (!this.#takes(sign)) throw new RequestError(`the expression lacks ${sign}`);
  }

  #either(): Tree {
    let value = this.#both();
    while (this.#takes("||")) {
      const other = this.#both();
      value = truth(isTrue(value) || isTrue(other));
    }
    return value;
  }

  #both(): Tree {
    let value = this.#comparison();
    while (this.#takes("&&")) {
      const other = this.#comparison();
      value = truth(isTrue(value) && isTrue(other));
    }
    return value;
  }

  #comparison(): Tree {
    const value = this.#not();
    const sign = comparisons.find((each) => this.#takes(each));
    return sign ? truth(compare(value, sign, this.#not())) : value;
  }

  #not(): Tree {
    if (++this.#depth > maxDepth) throw new RequestError("the expression is nested too deeply");
    try {
      if (this.#takes("!")) return truth(!isTrue(this.#not()));
      if (this.#takes("-")) return negative(this.#not());
      return this.#path();
    } finally {
      this.#depth--;
    }
  }

  #path(): Tree {
    let value = this.#operand();
    for (;;) {
      if (this.#takes(".")) value = partOf(value, this.#word());
      else if (this.#takes("[")) {
        value = partOf(value, this.#word());
        this.#needs("]");
      } else return value;
    }
  }

  #word(): string {
    const { kind, text } = this.#token;
    if (kind === "sign" || kind === "end") throw new RequestError("the expression lacks the name of a part");
    this.#at++;
    return text;
  }

  #operand(): Tree {
    if (this.#takes("(")) {
      const value = this.#either();
      this.#needs(")");
      return value;
    }
    const { kind, text } = this.#token;
    if (kind === "sign" || kind === "end") throw new RequestError("the expression lacks a value");
    this.#at++;
    if (kind === "number") return { text, scalar: BigInt(text) };
    if (kind === "text") return { text, scalar: text };
    if (text === "decode" && this.#takes("(")) return this.#decode();
    const found = constants.get(text) ?? this.#names.lookup(text);
    if (!found) throw new RequestError(`nothing is called ${text} here`);
    return found;
  }

  /** Reads the arguments of `decode` and its closing bracket, and decodes. */
  #decode(): Tree {
    if (++this.#decoded > maxDecoded)
      throw new RequestError(`an expression may have decode ${maxDecoded} times`);
    const value = this.#either();
    this.#needs(",");
    const type = this.#word();
    this.#needs(")");
    return this.#names.decode(value, type);
  }
}

const comparisons = ["==", "!=", "<=", ">=", "<", ">"] as const;
const constants: ReadonlyMap<string, Tree> = new Map([
  ["true", truth(true)],
  ["false", truth(false)],
  ["null", { text: "null", scalar: null }],
]);

function truth(value: boolean): Tree {
  return { text: String(value), scalar: value };
}

function negative({ scalar }: Tree): Tree {
  if (typeof scalar !== "bigint") throw new RequestError("only a number has a sign");
  return { text: String(-scalar), scalar: -scalar };
}

function compare(
  { scalar: one }: Tree,
  sign: (typeof comparisons)[number],
  { scalar: other }: Tree,
): boolean {
  if (one === undefined || other === undefined)
    throw new RequestError("only numbers, texts, cells and null are compared");
  if (sign === "==") return isEqual(one, other);
  if (sign === "!=") return !isEqual(one, other);
  if (typeof one !== "bigint" || typeof other !== "bigint")
    throw new RequestError("only numbers are less or greater than others");
  if (sign === "<" || sign === ">=") return one < other === (sign === "<");
  return one > other === (sign === ">");
}

/** Booleans of contracts are -1 and 0. */
function isEqual(one: Scalar, other: Scalar): boolean {
  if (typeof one === "boolean" && typeof other === "bigint") return one === (other !== 0n);
  if (typeof other === "boolean" && typeof one === "bigint") return other === (one !== 0n);
  return one === other;
}

function partOf({ parts }: Tree, name: string): Tree {
  const { count = 0, isList = false, at } = parts ?? {};
  if (isList) {
    const index = /^\d{1,6}$/.test(name) ? Number(name) : count;
    if (at && index < count) return at(index).value;
  } else
    for (let index = 0; index < count; index++) {
      const part = at!(index);
      if (part.name === name) return part.value;
    }
  throw new RequestError(`the value has no part ${name}`);
}
