import { setTimeout as wait } from "node:timers/promises";
import { itemAt } from "../../shared/values/lookups.js";
import { ServiceError } from "../errors.js";

type Conditions = {
  readonly latencyMs: number;
  /** Share of calls that fail, 0 to 1. */
  readonly failRate: number;
};

/** Runs before a call: delays it, or fails it. */
export type Fault = () => Promise<void>;

/** Errors that every method documents and that do not depend on the call. */
const failures = ["timeout", "unavailable"] as const;

/** Delays calls and lets some fail, so that people see how their programs take it. */
export class Faults {
  readonly #random: () => number;
  readonly #conditions: () => Conditions;

  /** `conditions`: those of the moment. */
  constructor(random: () => number, conditions: () => Conditions) {
    this.#random = random;
    this.#conditions = conditions;
  }

  /** Delay or failure of a call that begins now; undefined if it runs at once. */
  get current(): Fault | undefined {
    const { latencyMs, failRate } = this.#conditions();
    return latencyMs === 0 && failRate === 0 ? undefined : () => this.#affect(latencyMs, failRate);
  }

  async #affect(latencyMs: number, failRate: number): Promise<void> {
    if (latencyMs > 0) await wait(latencyMs);
    if (this.#random() >= failRate) return;
    const code = itemAt(failures, Math.floor(this.#random() * failures.length));
    throw new ServiceError(code, "this call fails because of the devnet's fail rate");
  }
}
