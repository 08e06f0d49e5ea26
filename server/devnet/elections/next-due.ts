import type { ChainSide } from "../collate/chain-side.js";
import { scheduleOf } from "./schedule.js";
import type { OperatorSettings, ValidatorOperator } from "./validator-operator.js";

type Known = { side: ChainSide; settings: OperatorSettings; due: number | undefined };

/** The time of the next block that elections need. Cached, because it is read for every arriving message. */
export class NextDue {
  readonly #operator: ValidatorOperator;
  #known: Known | undefined;

  constructor(operator: ValidatorOperator) {
    this.#operator = operator;
  }

  /** After the masterchain's newest block, which has the time `lastUtime`; that time if a block is needed now. */
  after(side: ChainSide, lastUtime: number): number | undefined {
    const { settings } = this.#operator;
    if (this.#known?.side !== side || this.#known.settings !== settings)
      this.#known = {
        side,
        settings,
        due: this.#operator.hasWork(side) ? lastUtime : scheduleOf(side)?.due,
      };
    return this.#known.due;
  }
}
