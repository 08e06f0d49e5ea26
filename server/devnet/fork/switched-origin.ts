import type { TransactionRef } from "../../../shared/ton/proofs/read/account.js";
import type { Address } from "../../../shared/values/address.js";
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

  /** Returns the origin used so far, for its owner to close. */
  switchTo(next: ForkOrigin): ForkOrigin {
    const previous = this.#current;
    this.#current = next;
    return previous;
  }

  account(address: Address, signal?: AbortSignal) {
    return this.#current.account(address, signal);
  }

  accountProof(address: Address, signal?: AbortSignal) {
    return this.#current.accountProof(address, signal);
  }

  libraries(hashes: readonly Uint8Array[], signal?: AbortSignal) {
    return this.#current.libraries(hashes, signal);
  }

  transactions(address: Address, from: TransactionRef, count: number, signal?: AbortSignal) {
    return this.#current.transactions(address, from, count, signal);
  }

  transactionList(address: Address, from: TransactionRef, count: number, signal?: AbortSignal) {
    return this.#current.transactionList(address, from, count, signal);
  }

  known(address: Address) {
    return this.#current.known(address);
  }

  status() {
    return this.#current.status();
  }

  close(): Promise<void> {
    return this.#current.close();
  }
}
