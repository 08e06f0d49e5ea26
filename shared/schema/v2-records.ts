import { z } from "zod";
import { addressOrNone, bocBase64, hashBase64, logicalTime, shardNumber } from "./results.js";

// Records of the v2 interface that many methods answer with. `@type` always comes first.

/** The first field of a record. */
export function typeName<const Name extends string>(name: Name) {
  return z.literal(name).describe("Type of the record.");
}

export const blockId = z
  .object({
    "@type": typeName("ton.blockIdExt"),
    workchain: z.int().describe("-1 for the masterchain, 0 for the basechain."),
    shard: shardNumber,
    seqno: z.int().describe("Number of the block in its shard."),
    root_hash: hashBase64.describe("Hash of the block's root cell."),
    file_hash: hashBase64.describe("SHA-256 of the block's file."),
  })
  .describe("A block.");

export const transactionId = z
  .object({
    "@type": typeName("internal.transactionId"),
    lt: logicalTime.describe("Logical time of the transaction; `0` stands for no transaction."),
    hash: hashBase64.describe("Hash of the transaction; zeros stand for no transaction."),
  })
  .describe("A transaction of a known account.");

export const accountAddress = z
  .object({
    "@type": typeName("accountAddress"),
    account_address: addressOrNone,
  })
  .describe("An address.");

export const extraCurrencies = z
  .array(
    z.object({
      "@type": typeName("extraCurrency"),
      id: z.int().describe("Number of the currency."),
      amount: z.string().regex(/^\d+$/).describe("Amount in its smallest unit, decimal."),
    }),
  )
  .describe("Amounts of extra currencies, by their numbers.");

export const tvmCell = z
  .object({ "@type": typeName("tvm.cell"), bytes: bocBase64.describe("The cell as a bag of cells.") })
  .describe("A cell.");
