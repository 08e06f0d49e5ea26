import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import type { ForkOrigin, ForkStart } from "./origin.js";

/** The origin of a fork, which may be exchanged for that of another block. */
export class SwitchedOrigin implements ForkOrigin {
  #current: ForkOrigin;

  constructor(first: ForkOrigin) {
    this.#current = first;
  }

  get start(): ForkStart {
    return this.#current.start;
  }

  get api(): LiteApi | undefined {
    return this.#current.api;
  }

  /** Returns the origin used so far, for its owner to close. */
  switchTo(next: ForkOrigin): ForkOrigin {
    const previous = this.#current;
    this.#current = next;
    return previous;
  }

  account: ForkOrigin["account"] = (...request) => this.#current.account(...request);
  accountProof: ForkOrigin["accountProof"] = (...request) => this.#current.accountProof(...request);
  libraries: ForkOrigin["libraries"] = (...request) => this.#current.libraries(...request);
  transactions: ForkOrigin["transactions"] = (...request) => this.#current.transactions(...request);
  transactionList: ForkOrigin["transactionList"] = (...request) => this.#current.transactionList(...request);
  listedTokens: ForkOrigin["listedTokens"] = (...request) => this.#current.listedTokens(...request);
  known: ForkOrigin["known"] = (address) => this.#current.known(address);
  status: ForkOrigin["status"] = () => this.#current.status();
  close: ForkOrigin["close"] = () => this.#current.close();
}
