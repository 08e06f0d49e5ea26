import type { Cell } from "../../../../shared/ton/cells/cell.js";
import type { Address } from "../../../../shared/values/address.js";

/** Cells of a message's run that may refer to libraries. */
export type Arrival = {
  /** Code of the account. */
  code?: Cell | undefined;
  message?: Cell | undefined;
};

/** Holds back messages to accounts of a forked network until these are imported. */
export interface ImportGate {
  /**
   * Whether a message must wait: for its destination, or for libraries that the account's code or the message refers to.
   * `isStored`: the state has an entry of the destination.
   */
  holdsBack(destination: Address, arrival: Arrival, isStored: boolean): boolean;
  /** Announces a message that a later block delivers. */
  expects(destination: Address, message: Cell): void;
  /** Whether a run that failed must be repeated with libraries that these cells refer to. Announces them. */
  lacks(destination: Address, cells: readonly Cell[]): boolean;
}

/** A message must wait for libraries. Nothing of the draft has changed. */
export class LibrariesMissing extends Error {
  override readonly name = "LibrariesMissing";
  readonly destination: Address;

  constructor(destination: Address) {
    super(`libraries of ${destination.toRaw()} are not imported yet`);
    this.destination = destination;
  }
}

/** Whether a delivery must wait for libraries that its run has missed. */
export function waitsForLibraries(deliver: () => void): boolean {
  try {
    deliver();
    return false;
  } catch (error) {
    if (error instanceof LibrariesMissing) return true;
    throw error;
  }
}
