import type { PlainTransaction, Transaction } from "../api.js";

/** The transaction in the format of the API that found it. */
export type FoundTransaction =
  | {
      /** The API that answered. */
      readonly from: "v3";
      /** The transaction. */
      readonly transaction: Transaction;
    }
  | {
      /** The API that answered. */
      readonly from: "v2";
      /** The transaction. */
      readonly transaction: PlainTransaction;
    };
