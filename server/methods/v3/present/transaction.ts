import type { z } from "zod";
import type { transaction } from "../../../../shared/schema/v3-transactions.js";
import type { TransactionText } from "../../../store/queries/transactions.js";
import { withBodies } from "./message.js";

export type TransactionRecord = z.output<typeof transaction>;

/** A transaction as answered, for those who have to look into it. */
export function readTransaction({ text }: TransactionText): TransactionRecord {
  return JSON.parse(withBodies(text)) as TransactionRecord;
}

/** The raw addresses in what an answer is made of. */
export function addressesOf(texts: readonly { addresses: string }[]): Set<string> {
  const found = new Set(texts.flatMap(({ addresses }) => addresses.split(" ")));
  found.delete("");
  return found;
}
