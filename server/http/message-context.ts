import type { CallOptions } from "../../shared/methods/define.js";
import type { Caller } from "../access/access.js";
import type { Allowance, AnswerBudget } from "../rpc/answer-budget.js";
import type { CallContext } from "../rpc/dispatch.js";

type ContextOptions = {
  caller: Caller;
  callOptions: CallOptions;
  devnetRefusal: string | undefined;
  budget: AnswerBudget;
};

/** The context of the calls of one WebSocket message. */
export class MessageContext implements CallContext {
  readonly callerId: string;
  readonly unlimited: boolean;
  readonly options: CallOptions;
  readonly gone: AbortSignal;
  readonly devnetRefusal: string | undefined;
  readonly #budget: AnswerBudget;
  readonly #allowances: Set<Allowance>;
  #allowance: Allowance | undefined;

  constructor(
    { caller, callOptions, devnetRefusal, budget }: ContextOptions,
    gone: AbortSignal,
    allowances: Set<Allowance>,
  ) {
    this.callerId = caller.id;
    this.unlimited = caller.plan.limit === undefined;
    this.options = callOptions;
    this.gone = gone;
    this.devnetRefusal = devnetRefusal;
    this.#budget = budget;
    this.#allowances = allowances;
  }

  get allowance(): Allowance {
    this.#allowance ??= this.#open();
    return this.#allowance;
  }

  /** Frees what the answer holds. */
  close(): void {
    if (!this.#allowance) return;
    this.#allowance.close();
    this.#allowances.delete(this.#allowance);
  }

  #open(): Allowance {
    const allowance = this.#budget.open(this.callerId);
    if (this.gone.aborted) allowance.close();
    else this.#allowances.add(allowance);
    return allowance;
  }
}
