/** A finished call, as a developer looks back at it. */
export type PastCall = {
  /** When it ended, in milliseconds. */
  at: number;
  method: string;
  /** Never with keys; long texts are cut. */
  params: Readonly<Record<string, unknown>>;
  durationMs: number;
  /** `ok`, or the code of its error. */
  outcome: string;
  /** Why a contract refused the message that was sent. */
  exitMeaning?: string | undefined;
};

const maxCalls = 1000;
/** Characters of each text, and of all parameters of a call together. */
const maxText = 200;
const maxParams = 4000;
const maxListDepth = 2;

/** The newest calls to a devnet. It is in memory only, and on no other network. */
export class CallHistory {
  /** A ring; the next call replaces the oldest one. */
  readonly #calls: PastCall[] = [];
  #next = 0;

  add(call: PastCall): void {
    this.#calls[this.#next] = { ...call, params: shortened(call.params) };
    this.#next = (this.#next + 1) % maxCalls;
  }

  /** The newest first. */
  newest(count: number): PastCall[] {
    const oldestFirst = [...this.#calls.slice(this.#next), ...this.#calls.slice(0, this.#next)];
    return oldestFirst.reverse().slice(0, count);
  }
}

function shortened(params: PastCall["params"]): PastCall["params"] {
  if (isBrief(params)) return params;
  const text = JSON.stringify(params, (_, value) => shortenedValue(value));
  return text.length > maxParams ? { "…": `${text.length} characters` } : JSON.parse(text);
}

/** Whether the parameters need no cut: a few scalars, and lists of lists of them, as a stack is. */
function isBrief(params: PastCall["params"]): boolean {
  let characters = 0;
  for (const name in params) {
    characters += name.length + briefLength(params[name]);
    if (characters > maxParams) return false;
  }
  return true;
}

/** Characters of a value that needs no cut; infinite for another one. */
function briefLength(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length > maxText ? Infinity : value.length;
  if (typeof value === "number" || typeof value === "boolean") return 1;
  if (!Array.isArray(value) || depth === maxListDepth) return Infinity;
  let characters = 1;
  for (const each of value) {
    characters += briefLength(each, depth + 1);
    if (characters > maxParams) return Infinity;
  }
  return characters;
}

function shortenedValue(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "string" || value.length <= maxText) return value;
  return `${value.slice(0, maxText)}… (${value.length} characters)`;
}
