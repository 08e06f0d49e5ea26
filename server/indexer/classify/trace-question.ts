import { rawAddressFromBytes } from "../../store/address-bytes.js";
import { accountStatuses, codeOf } from "../../store/codes.js";
import type { AddressText } from "../actions/trace.js";
import type { TraceRows } from "../actions/trace-of-rows.js";
import { wasActive } from "./account-history.js";
import type { ClassifiedTrace } from "./classify-trace.js";

const active = codeOf(accountStatuses, "active");

/** A trace while it is classified, and what it asks for. */
export class TraceQuestion {
  readonly rows: TraceRows;
  /** Accounts that are looked up as contracts: those of the transactions, and what was asked for. */
  readonly contracts = new Set<AddressText>();
  /** Accounts whose data were asked for. */
  readonly data = new Set<AddressText>();
  /** Accounts that were active before or after one of the transactions. */
  readonly active = new Set<AddressText>();
  /** Accounts that one of the transactions left active. */
  readonly left = new Set<AddressText>();
  /** Accounts that were asked for in vain at last. */
  unknown: readonly AddressText[] = [];

  constructor(rows: TraceRows) {
    this.rows = rows;
    for (const transaction of rows.transactions) {
      const address = rawAddressFromBytes(transaction.account);
      this.contracts.add(address);
      if (wasActive(transaction)) this.active.add(address);
      if (transaction.end_status === active) this.left.add(address);
    }
  }

  /** Takes a result. Returns whether it asks for more. */
  take({ missing, unknown }: ClassifiedTrace): boolean {
    this.unknown = unknown;
    for (const address of missing?.contracts ?? []) this.contracts.add(address);
    for (const address of missing?.data ?? []) this.data.add(address);
    return missing !== undefined;
  }
}
