import { z } from "zod";
import { addressOrNone, bocBase64, hashBase64, logicalTime, shardNumber } from "../../forms/values.js";

// Common records of v2 results. `@type` is always the first field.

/** The field `@type` of a record. */
export function typeName<const Name extends string>(name: Name) {
  return z.literal(name).describe("Type of the record.");
}

export const blockId = z
  .object({
    "@type": typeName("ton.blockIdExt"),
    workchain: z.int().describe("-1 for the masterchain, 0 for the basechain."),
    shard: shardNumber,
    seqno: z.int().describe("Seqno of the block."),
    root_hash: hashBase64.describe("Hash of the block's root cell."),
    file_hash: hashBase64.describe("SHA-256 of the block's file."),
  })
  .describe("A block id.");

export const transactionId = z
  .object({
    "@type": typeName("internal.transactionId"),
    lt: logicalTime.describe("Logical time of the transaction; `0` if there is none."),
    hash: hashBase64.describe("Hash of the transaction; zeros if there is none."),
  })
  .describe("A transaction id within an account.");

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
      id: z.int().describe("Id of the currency."),
      amount: z.string().regex(/^\d+$/).describe("Amount in its smallest unit, decimal."),
    }),
  )
  .describe("Amounts of extra currencies.");

export const tvmCell = z
  .object({ "@type": typeName("tvm.cell"), bytes: bocBase64.describe("The cell as a bag of cells.") })
  .describe("A cell.");
