import { rawAddressFromBytes } from "../../store/address-bytes.js";
import { accountStatuses, codeOf } from "../../store/codes.js";
import type { AddressText } from "../actions/trace.js";
import type { TraceRows } from "../actions/trace-of-rows.js";
import { wasActive } from "../rows/account-history.js";
import type { ClassifiedTrace } from "./classify-trace.js";

const active = codeOf(accountStatuses, "active");

/** A trace being classified, with its lookups. */
export class TraceQuestion {
  readonly rows: TraceRows;
  /** Accounts to look up as contracts: those of the transactions and the requested ones. */
  readonly contracts = new Set<AddressText>();
  /** Accounts whose data were requested. */
  readonly data = new Set<AddressText>();
  /** Accounts active before or after any of the transactions. */
  readonly active = new Set<AddressText>();
  /** Accounts left active by any of the transactions. */
  readonly left = new Set<AddressText>();
  /** Accounts without a known contract in the last result. */
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

  /** Applies a result. Returns whether it requests more lookups. */
  take({ missing, unknown }: ClassifiedTrace): boolean {
    this.unknown = unknown;
    for (const address of missing?.contracts ?? []) this.contracts.add(address);
    for (const address of missing?.data ?? []) this.data.add(address);
    return missing !== undefined;
  }
}
