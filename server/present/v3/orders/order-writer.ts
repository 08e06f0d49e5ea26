import { Budget } from "../../../../shared/ton/bodies/budget.js";
import { serializeBoc } from "../../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import type { Address } from "../../../../shared/values/address.js";
import { bytesToBase64 } from "../../../../shared/values/bytes.js";

/** Writes the texts in an order's actions within one budget, and collects their addresses. */
export class OrderWriter {
  readonly budget: Budget;
  readonly #addresses: Set<string>;

  /** Addresses are added to `addresses`. */
  constructor(order: Cell, addresses: Set<string>) {
    this.budget = new Budget(order);
    this.#addresses = addresses;
  }

  /** `null` for a missing address. */
  address(address: Address | undefined): string | null {
    if (!address) return null;
    const text = address.toRawUpper();
    this.budget.spend(text.length);
    this.#addresses.add(text);
    return text;
  }

  /** A bag of cells in base64; `null` for a missing cell. */
  boc(cell: Cell | undefined): string | null {
    if (!cell) return null;
    // The same cell may occur in many actions.
    this.budget.spendValue();
    const text = bytesToBase64(serializeBoc(cell));
    this.budget.spend(text.length);
    return text;
  }
}
