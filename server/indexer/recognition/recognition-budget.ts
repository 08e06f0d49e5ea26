import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { RecentMap } from "../../../shared/values/recent-map.js";
import { trialGas } from "../../chain/executor/calls.js";
import type { Queries } from "../../store/database.js";
import type { CodeCostRow } from "../../store/queries/upkeep/recognition-queue.js";
import type { FinalAccountState } from "../decode/account.js";
import { keyOf } from "../hash-key.js";
import { TimeShare } from "../time-share.js";
import { AccountTurn } from "./account-turn.js";
import { CodeCosts } from "./code-costs.js";

/** CPU time in milliseconds. */
export type RecognitionLimits = {
  /** Average allowance of a code per account. */
  readonly codeMs: number;
  /** A code that has saved this much is run regardless of other codes. */
  readonly trustedMs: number;
  /** Limit per account while its block waits, and limit of a code's debt. */
  readonly accountMs: number;
  /** Joint limit of all codes beyond their own allowances: a share of elapsed time, and the maximum savings. */
  readonly share: number;
  readonly savedMs: number;
  /** Gas per run of an unknown code. */
  readonly trialGas: number;
};

const defaultLimits: RecognitionLimits = {
  codeMs: 5,
  trustedMs: 500,
  accountMs: 100,
  share: 0.1,
  savedMs: 500,
  trialGas,
};

/** Expected cost of an account without earlier runs. */
const unknownMs = 50;
const rememberedAccounts = 50_000;

/** An account whose get-methods are to be run later, as of a block. */
export type Deferral = {
  account: FinalAccountState;
  block: BlockIdExt;
  /** Key of the code that took the time. */
  blamed: string;
  costMs: number;
};

type Dear = { blamed: string; costMs: number };

/**
 * Limits the CPU time of get-methods while blocks wait for them. Codes in debt and previously expensive accounts are
 * not run then. Codes with savings are; all others share a part of the elapsed time. An unknown code gets little gas;
 * if it needs more, it is run only when no block waits.
 */
export class RecognitionBudget {
  readonly costs = new CodeCosts();
  readonly limits: RecognitionLimits;
  /** Accounts that exceeded their limit. */
  readonly dear = new RecentMap<string, Dear>(rememberedAccounts);
  readonly #time: TimeShare;

  constructor(limits: Partial<RecognitionLimits> = {}, now?: () => number) {
    this.limits = { ...defaultLimits, ...limits };
    this.#time = new TimeShare({ ...this.limits, now });
  }

  /** Budget for a batch of blocks that waits. */
  forBatch(): BatchBudget {
    this.#time.refill();
    return new BatchBudget(this, true);
  }

  /** Budget for accounts that no block waits for: everything is run and recorded. */
  unbounded(): BatchBudget {
    return new BatchBudget(this, false);
  }

  /** Whether a code may run while a block waits. Excess is known only after a run, so a code may owe a little. */
  mayRun(code: string): boolean {
    const balanceMs = this.costs.balanceMs(code);
    const { trustedMs, accountMs } = this.limits;
    if (this.costs.isDeferred(code)) return false;
    return balanceMs > -accountMs && (balanceMs >= trustedMs || this.#time.leftMs > 0);
  }

  /** Takes time that a code used beyond its allowance. */
  take(ms: number): void {
    this.#time.take(ms);
  }
}

/** The budget of accounts that are recognised together. */
export class BatchBudget {
  /** Deferred accounts. */
  readonly deferred: Deferral[] = [];
  readonly #shared: RecognitionBudget;
  readonly #isBounded: boolean;
  readonly #turns = new Set<AccountTurn>();
  #spentMs = 0;

  /** `isBounded`: a block waits. */
  constructor(shared: RecognitionBudget, isBounded: boolean) {
    this.#shared = shared;
    this.#isBounded = isBounded;
  }

  /** Gas of a trial run. */
  get trialGas(): number {
    return this.#shared.limits.trialGas;
  }

  /** CPU time of all runs. */
  get spentMs(): number {
    return this.#spentMs;
  }

  /** Costs whose change is large enough to store. */
  takeCosts(): CodeCostRow[] {
    return this.#shared.costs.takeChanged();
  }

  load(queries: Queries, codes: Iterable<string>): Promise<void> {
    return this.#shared.costs.load(queries, codes);
  }

  /**
   * Runs an account's turn. If `work` fails because the account took too long, the account is deferred and `undefined`
   * is returned.
   */
  async turn<T>(
    account: FinalAccountState,
    block: BlockIdExt,
    work: (turn: AccountTurn) => Promise<T>,
  ): Promise<T | undefined> {
    const { costs, limits, dear } = this.#shared;
    const key = keyOf(account.state.account);
    const turn = new AccountTurn({
      costs,
      limits: this.#isBounded ? limits : { ...limits, accountMs: Number.POSITIVE_INFINITY },
      isBounded: this.#isBounded,
      mayRun: (code) => !this.#isBounded || this.#shared.mayRun(code),
      spent: (...ms) => this.#spent(...ms),
    });
    const before = this.#isBounded ? dear.get(key) : undefined;
    if (before) turn.leave(before.blamed);
    this.#turns.add(turn);
    try {
      return await work(turn);
    } catch (error) {
      const { blamed, signal } = turn;
      if (!signal.aborted || blamed === undefined) throw error;
      const expectedMs = before?.costMs ?? (costs.expectedMs(blamed) || unknownMs);
      this.deferred.push({ account, block, blamed, costMs: Math.ceil(Math.max(turn.spentMs, expectedMs)) });
      return undefined;
    } finally {
      this.#turns.delete(turn);
      turn.end();
      const { blamed, spentMs } = turn;
      if (blamed !== undefined && spentMs > limits.accountMs) dear.set(key, { blamed, costMs: spentMs });
      else if (!before) dear.delete(key);
    }
  }

  #spent(ms: number, beyondMs: number): void {
    this.#spentMs += ms;
    if (!this.#isBounded) return;
    this.#shared.take(beyondMs);
    for (const turn of this.#turns) turn.review();
  }
}
