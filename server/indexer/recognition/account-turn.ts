import type { CodeCosts } from "./code-costs.js";

/** The accounts that are recognised together, as one of them sees them. */
export type TurnBudget = {
  readonly costs: CodeCosts;
  /** CPU time in milliseconds that a code may take for an account, on average, and an account while its block waits. */
  readonly limits: { readonly codeMs: number; readonly accountMs: number };
  /** Whether a block waits. */
  readonly isBounded: boolean;
  mayRun(code: string): boolean;
  /** Receives the CPU time of a run, and how much of it the code needed beyond its own time. */
  spent(ms: number, beyondMs: number): void;
};

/** The runs of get-methods, its own and those of contracts that it names, by which one account is recognised. */
export class AccountTurn {
  readonly #budget: TurnBudget;
  readonly #stop = new AbortController();
  /** What the runs of each code took. */
  readonly #codes = new Map<string, number>();
  #running: string | undefined;
  #isTrial = false;
  #spentMs = 0;
  /** The code for which the account is left for later. */
  #blamed: string | undefined;

  constructor(budget: TurnBudget) {
    this.#budget = budget;
  }

  /** Fires when the account is to be left for later. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get spentMs(): number {
    return this.#spentMs;
  }

  /** Key of the code for which the account is left for later; if it is not, of the one that ran last. */
  get blamed(): string | undefined {
    return this.#blamed ?? this.#running;
  }

  /** Before a run of a code. Returns whether it is a trial, with little gas. Throws if the account is left for later. */
  begin(code: string): boolean {
    const { costs, limits, isBounded } = this.#budget;
    this.#running = code;
    this.review();
    this.signal.throwIfAborted();
    if (!this.#codes.has(code)) {
      this.#codes.set(code, 0);
      costs.add(code, limits.codeMs);
    }
    this.#isTrial = isBounded && !costs.isKnown(code);
    return this.#isTrial;
  }

  /** The trial of a code has used up its gas. Throws, because the account is left for later. */
  failTrial(code: string): void {
    this.#budget.costs.defer(code);
    this.leave(code);
    this.signal.throwIfAborted();
  }

  /** Receives the CPU time of a run. */
  readonly spent = (ms: number): void => {
    if (this.#running === undefined) return;
    const { costs, limits } = this.#budget;
    const before = this.#codes.get(this.#running) ?? 0;
    this.#codes.set(this.#running, before + ms);
    this.#spentMs += ms;
    costs.add(this.#running, -ms);
    // New codes are made for nothing, so only those that are known have time of their own.
    const beyond = (all: number) => (this.#isTrial ? all : Math.max(0, all - limits.codeMs));
    this.#budget.spent(ms, beyond(before + ms) - beyond(before));
    if (this.#spentMs > limits.accountMs) this.leave(this.#running);
  };

  /** Leaves the account for later if the code that it runs may no longer be run. */
  review(): void {
    if (this.#running !== undefined && !this.#budget.mayRun(this.#running)) this.leave(this.#running);
  }

  leave(blamed: string): void {
    this.#blamed ??= blamed;
    this.#stop.abort(new Error("the account is recognised later"));
  }

  /** Notes what the codes cost. */
  end(): void {
    const { costs } = this.#budget;
    for (const [code, ms] of this.#codes)
      if (!this.signal.aborted || ms > costs.expectedMs(code)) costs.note(code, ms, !this.signal.aborted);
  }
}
