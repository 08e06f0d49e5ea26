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
};

const maxCalls = 1000;
/** Characters of each text, and of all parameters of a call together. */
const maxText = 200;
const maxParams = 4000;

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

/** Whether the parameters are scalars that need no cut. */
function isBrief(params: PastCall["params"]): boolean {
  let characters = 0;
  for (const name in params) {
    const value = params[name];
    if (typeof value === "number" || typeof value === "boolean") continue;
    if (typeof value !== "string" || value.length > maxText) return false;
    characters += name.length + value.length;
  }
  return characters <= maxParams;
}

function shortenedValue(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "string" || value.length <= maxText) return value;
  return `${value.slice(0, maxText)}… (${value.length} characters)`;
}
