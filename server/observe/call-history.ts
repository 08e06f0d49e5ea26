import { beginningOf } from "../../shared/values/beginning.js";

/** A finished call, as a developer looks back at it. */
export type PastCall = {
  /** Id of the key of its caller; absent without one. */
  owner?: string | undefined;
  /** When it ended, in milliseconds. */
  at: number;
  method: string;
  /** Never with keys; the beginning if they are long. */
  params: Readonly<Record<string, unknown>>;
  durationMs: number;
  /** `ok`, or the code of its error. */
  outcome: string;
  /** Why a contract refused the message that was sent. */
  exitMeaning?: string | undefined;
};

/** The newest calls, or the newest of one owner. */
export type AskedCalls = { readonly limit: number; readonly owner?: string | undefined };

const maxCalls = 1000;
/** Characters of each text, and of all parameters of a call together. */
const maxText = 200;
const maxParams = 4000;

/** The newest calls to a devnet. It is in memory only, and on no other network. */
export class CallHistory {
  /** A ring; the next call replaces the oldest one. */
  readonly #calls: PastCall[] = [];
  #next = 0;

  /** Long parameters are cut. */
  add(call: PastCall): void {
    this.#calls[this.#next] = { ...call, params: shown(call.params) };
    this.#next = (this.#next + 1) % maxCalls;
  }

  /** The newest first. */
  newest({ limit, owner }: AskedCalls): PastCall[] {
    const oldestFirst = [...this.#calls.slice(this.#next), ...this.#calls.slice(0, this.#next)];
    const asked = owner === undefined ? oldestFirst : oldestFirst.filter((call) => call.owner === owner);
    return asked.reverse().slice(0, limit);
  }
}

function shown(params: PastCall["params"]): PastCall["params"] {
  return beginningOf(params, maxParams, maxText) as PastCall["params"];
}
