import { until } from "../until.js";

/** What happened to the calls between two moments. */
export type Tally = { readonly calls: number; readonly failed: number; readonly slowestMs: number };

type Question = readonly [path: string, init: RequestInit];

/** Callers of a service, each of which calls again as soon as it is answered, until they stop. */
export class SteadyCallers {
  /** What was answered otherwise than with 200 and a result. */
  readonly failures: string[] = [];
  /** How many callers there are. */
  readonly count: number;
  readonly #url: string;
  readonly #questions: readonly Question[];
  readonly #all: Promise<unknown>;
  #calls = 0;
  #slowestMs = 0;
  #isOver = false;
  #begun = { calls: 0, failed: 0 };

  constructor(url: string, questions: readonly Question[], count = 6) {
    this.count = count;
    this.#url = url;
    this.#questions = questions;
    this.#all = Promise.all(Array.from({ length: count }, (_, i) => this.#run(i)));
  }

  get calls(): number {
    return this.#calls;
  }

  /** Waits until so many further calls have ended. */
  async further(calls: number): Promise<void> {
    const enough = this.#calls + calls;
    await until(
      () => `${enough - this.#calls} calls of ${this.#url}; failures: ${this.failures.slice(-3).join("; ")}`,
      () => this.#calls >= enough,
    );
  }

  /** The tally since the last one. */
  tally(): Tally {
    const { calls, failed } = this.#begun;
    this.#begun = { calls: this.#calls, failed: this.failures.length };
    const slowestMs = this.#slowestMs;
    this.#slowestMs = 0;
    return {
      calls: this.#calls - calls,
      failed: this.failures.length - failed,
      slowestMs: Math.round(slowestMs),
    };
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#all;
  }

  async #run(first: number): Promise<void> {
    for (let i = first; !this.#isOver; i++) {
      const [path, init] = this.#questions[i % this.#questions.length]!;
      const begun = performance.now();
      await this.#ask(path, init).catch((error) =>
        this.failures.push(`${path}: ${String(error.cause ?? error)}`),
      );
      this.#slowestMs = Math.max(this.#slowestMs, performance.now() - begun);
      this.#calls++;
    }
  }

  async #ask(path: string, init: RequestInit): Promise<void> {
    const answer = await fetch(this.#url + path, init);
    const text = await answer.text();
    if (answer.status !== 200 || /"error"/.test(text))
      this.failures.push(`${path}: ${answer.status} ${text.slice(0, 200)}`);
  }
}

/** Calls of both APIs in their forms. */
export function callsOf(key: string): Question[] {
  const headers = { "Content-Type": "application/json", "X-API-Key": key };
  const post = (method: string) => ({
    method: "POST",
    headers,
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: {} }),
  });
  return [
    ["/api/v2/getMasterchainInfo", { headers }],
    ["/api/v3/blocks?limit=2", { headers }],
    ["/jsonRPC", post("rpc.ping")],
    ["/jsonRPC", post("v3.masterchainInfo")],
    ["/api/v2/jsonRPC", post("getMasterchainInfo")],
  ];
}
