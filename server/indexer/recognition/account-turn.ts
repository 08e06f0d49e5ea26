import type { CodeCosts } from "./code-costs.js";

/** Budget of a group of accounts, as used by one account's turn. */
type TurnBudget = {
  readonly costs: CodeCosts;
  /** Limits in milliseconds of CPU time: per code on average, and per account while its block waits. */
  readonly limits: { readonly codeMs: number; readonly accountMs: number };
  /** Whether a block waits. */
  readonly isBounded: boolean;
  mayRun(code: string): boolean;
  /** Receives the CPU time of a run, and the part that exceeds the code's own allowance. */
  spent(ms: number, beyondMs: number): void;
};

/** The get-method runs that recognise one account, including runs of contracts it refers to. */
export class AccountTurn {
  readonly #budget: TurnBudget;
  readonly #stop = new AbortController();
  /** CPU time per code. */
  readonly #codes = new Map<string, number>();
  #running: string | undefined;
  #isTrial = false;
  #spentMs = 0;
  /** The code that caused the account to be deferred. */
  #blamed: string | undefined;

  constructor(budget: TurnBudget) {
    this.#budget = budget;
  }

  /** Fires when the account must be deferred. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get spentMs(): number {
    return this.#spentMs;
  }

  /** Key of the code that caused the deferral, else of the last running code. */
  get blamed(): string | undefined {
    return this.#blamed ?? this.#running;
  }

  /** Call before running a code. Returns whether it is a trial, with little gas. Throws if the account is deferred. */
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

  /** The code exceeded its trial gas. Throws, because the account is deferred. */
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
    // Only known codes have an own allowance, because new codes cost nothing to create.
    const beyond = (all: number) => (this.#isTrial ? all : Math.max(0, all - limits.codeMs));
    this.#budget.spent(ms, beyond(before + ms) - beyond(before));
    if (this.#spentMs > limits.accountMs) this.leave(this.#running);
  };

  /** Defers the account if its running code has lost its permission to run. */
  review(): void {
    if (this.#running !== undefined && !this.#budget.mayRun(this.#running)) this.leave(this.#running);
  }

  leave(blamed: string): void {
    this.#blamed ??= blamed;
    this.#stop.abort(new Error("the account is recognised later"));
  }

  /** Records the costs of the codes. */
  end(): void {
    const { costs } = this.#budget;
    for (const [code, ms] of this.#codes)
      if (!this.signal.aborted || ms > costs.expectedMs(code)) costs.note(code, ms, !this.signal.aborted);
  }
}
