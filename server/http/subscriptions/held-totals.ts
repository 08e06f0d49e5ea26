import { accountsIn, isFirehose, type RecordChoice } from "../../stream/subscriptions/record-filter.js";

/** A subscription's share of the limits of its caller. */
type Holding = { readonly accounts: number; readonly firehoses: number };

export function holdingOf(choice: RecordChoice): Holding {
  return { accounts: accountsIn(choice), firehoses: isFirehose(choice) ? 1 : 0 };
}

/** The sum over the subscriptions of a connection, updated incrementally: a connection may have thousands of them. */
export class HeldTotals implements Holding {
  readonly #byId = new Map<string, Holding>();
  #accounts = 0;
  #firehoses = 0;

  get accounts(): number {
    return this.#accounts;
  }

  get firehoses(): number {
    return this.#firehoses;
  }

  /** Counts a subscription, or counts it again after its choice was changed in place. */
  set(id: string, choice: RecordChoice): void {
    this.delete(id);
    const holding = holdingOf(choice);
    this.#byId.set(id, holding);
    this.#add(holding, 1);
  }

  delete(id: string): void {
    const holding = this.#byId.get(id);
    if (!holding) return;
    this.#byId.delete(id);
    this.#add(holding, -1);
  }

  #add({ accounts, firehoses }: Holding, sign: 1 | -1): void {
    this.#accounts += sign * accounts;
    this.#firehoses += sign * firehoses;
  }
}
