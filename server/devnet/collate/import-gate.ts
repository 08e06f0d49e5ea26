import type { StateInit } from "../../../shared/ton/tlb/state-init.js";
import type { Address } from "../../../shared/values/address.js";

/** Holds back messages to accounts of a forked network until these are imported. */
export interface ImportGate {
  /**
   * Whether a message must wait: for its destination, or for libraries of the contract that it deploys. `isStored`: the
   * state has an entry of the destination.
   */
  holdsBack(destination: Address, init: StateInit | undefined, isStored: boolean): boolean;
  /** Announces a message that a later block delivers. */
  expects(destination: Address, init: StateInit | undefined): void;
}
