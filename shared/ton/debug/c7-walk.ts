import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, joinBytes } from "../../values/bytes.js";
import { sha256 } from "../cells/sha256.js";
import { type LoggedValue, readLoggedValue, tupleItems } from "../tvm/logged-values.js";

/** What a contract can ask the machine for, the first item of c7; undefined where it is not known. */
export type ContractParameters = readonly (LoggedValue | undefined)[];

/** Values by their number. */
type Numbered = ReadonlyMap<number, LoggedValue | undefined>;

/** Register c7. */
export type C7 = {
  /** Global variables, from number 1. */
  readonly globals: ReadonlyMap<number, LoggedValue>;
  /** The contract's parameters, from number 0; undefined if nothing is known of them. */
  readonly parameters: Numbered | undefined;
};

/** A part of c7 after a step: values as the log has them, or the random seed, undefined if it is not known. */
type Change = { readonly n: number } & (
  | { readonly index: number; readonly value: string }
  | { readonly all: readonly string[] }
  | { readonly seed: bigint | undefined }
);

const seedIndex = 6;
const maxIndex = 255;
const seedBytes = 32;

/** Instructions by which a return sets c7, at a time that is not followed here. */
const savesC7 =
  /^(?:(?:SAVECTR|SAVEALTCTR|SAVEBOTHCTR|SETRETCTR|SETALTCTR|POPSAVE) c7|SETCONTCTRX|SETCONTCTRMANY)/;

/** Follows what instructions change of c7, which the machine's log does not have. */
export class C7Walk {
  readonly #initial: ContractParameters | undefined;
  readonly #changes: Change[] = [];
  #seed: bigint | undefined;
  #lost: number | undefined;

  constructor(parameters: ContractParameters | undefined) {
    this.#initial = parameters;
    this.#seed = integerIn(parameters?.[seedIndex]);
  }

  /** What a step's instruction does with c7 besides `set`; `stack`: the values before it, when they are needed. */
  apply(n: number, text: string, stack: () => readonly string[]): void {
    if (text.startsWith("SETGLOB")) this.#setGlobal(n, text, stack());
    else if (text === "RANDU256" || text === "RAND") this.#setSeed(n, nextSeed(this.#seed));
    else if (text === "SETRAND" || text === "ADDRAND") this.#mix(n, text, stack().at(-1));
    if (savesC7.test(text)) this.lose(n);
  }

  /** The register is the tuple that the log has as a text. */
  set(n: number, text: string): void {
    const all = tupleItems(text);
    if (!all) {
      this.lose(n);
      return;
    }
    this.#changes.push({ n, all });
    this.#seed = seedIn(all[0]);
  }

  /** From a step on the register is not known. */
  lose(n: number): void {
    this.#lost ??= n;
  }

  before(n: number): C7 | undefined {
    if (this.#lost !== undefined && this.#lost < n) return undefined;
    const changes = this.#changes.filter((change) => change.n < n);
    return { globals: globalsAfter(changes), parameters: parametersAfter(this.#initial, changes) };
  }

  /** What a step changed; undefined if nothing. */
  changedBy(n: number): C7 | undefined {
    const changes = this.#changes.filter((change) => change.n === n);
    if (changes.length === 0) return undefined;
    return { globals: globalsAfter(changes), parameters: parametersAfter([], changes) };
  }

  /** Steps that changed it. */
  get writes(): number[] {
    return [...new Set(this.#changes.map(({ n }) => n))];
  }

  /** Steps that wrote a global variable. */
  writesOf(global: number): number[] {
    return this.#changes
      .filter((change) =>
        "all" in change ? change.all.length > global : "index" in change && change.index === global,
      )
      .map(({ n }) => n);
  }

  #setGlobal(n: number, text: string, stack: readonly string[]): void {
    const isNumbered = text === "SETGLOBVAR";
    const index = Number(isNumbered ? stack.at(-1) : text.slice("SETGLOB ".length));
    const value = stack.at(isNumbered ? -2 : -1);
    if (value === undefined || !(index >= 0 && index <= maxIndex)) return;
    this.#changes.push({ n, index, value });
    if (index === 0) this.#seed = seedIn(value);
  }

  #mix(n: number, text: string, top: string | undefined): void {
    const given = readSeed(top);
    // The machine refuses what is no seed.
    if (given === undefined) return;
    if (text === "SETRAND") this.#setSeed(n, given);
    else this.#setSeed(n, mixed(this.#seed, given));
  }

  #setSeed(n: number, seed: bigint | undefined): void {
    this.#seed = seed;
    this.#changes.push({ n, seed });
  }
}

function globalsAfter(changes: readonly Change[]): Map<number, LoggedValue> {
  const last = changes.findLastIndex((change) => "all" in change);
  const texts = new Map<number, string>();
  for (const change of changes.slice(Math.max(0, last))) {
    if ("all" in change) for (const [index, text] of change.all.entries()) texts.set(index, text);
    else if ("index" in change) texts.set(change.index, change.value);
  }
  texts.delete(0);
  return new Map([...texts].map(([index, text]) => [index, readLoggedValue(text)]));
}

function parametersAfter(
  initial: ContractParameters | undefined,
  changes: readonly Change[],
): Map<number, LoggedValue | undefined> | undefined {
  const last = changes.findLastIndex(
    (change) => "all" in change || ("index" in change && change.index === 0),
  );
  const set = changes[last];
  const text = set && ("all" in set ? set.all[0] : "value" in set ? set.value : undefined);
  const parameters = set ? textParameters(text) : initial;
  const seed = changes.slice(last + 1).findLast((change) => "seed" in change);
  if (!parameters && !seed) return undefined;
  const values = new Map((parameters ?? []).entries());
  if (seed && "seed" in seed)
    values.set(seedIndex, seed.seed === undefined ? undefined : { type: "int", value: seed.seed.toString() });
  return values;
}

function textParameters(text: string | undefined): ContractParameters | undefined {
  return text === undefined ? undefined : tupleItems(text)?.map((item) => readLoggedValue(item));
}

function seedIn(text: string | undefined): bigint | undefined {
  return text === undefined ? undefined : readSeed(tupleItems(text)?.[seedIndex]);
}

function readSeed(text: string | undefined): bigint | undefined {
  return text !== undefined && /^\d+$/.test(text) && BigInt(text) < 1n << 256n ? BigInt(text) : undefined;
}

function integerIn(value: LoggedValue | undefined): bigint | undefined {
  return value?.type === "int" ? readSeed(value.value) : undefined;
}

/** The seed after a random number. */
function nextSeed(seed: bigint | undefined): bigint | undefined {
  return seed === undefined ? undefined : numberOf(sha512(bytesOf(seed)).subarray(0, seedBytes));
}

function mixed(seed: bigint | undefined, added: bigint): bigint | undefined {
  return seed === undefined ? undefined : numberOf(sha256(joinBytes([bytesOf(seed), bytesOf(added)])));
}

function bytesOf(seed: bigint): Uint8Array {
  return hexToBytes(seed.toString(16).padStart(2 * seedBytes, "0"))!;
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(bytes)}`);
}
