import { z } from "zod";
import { bocBase64, hashBase64, rawAddressUpper } from "./results.js";

// Records of the v3 interface that many methods answer with.

/** What can be `null`, with the same description. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().describe(schema.description!);
}

export const shardHex = z
  .string()
  .regex(/^(?:0|[1-9A-F][0-9A-F]{0,15})$/)
  .describe("Shard in upper-case hex without leading zeros; `8000000000000000` is a whole workchain.");

export const decimal = z.string().regex(/^\d+$/).describe("Decimal number.");

export const extraCurrencies = z
  .record(z.string(), z.string())
  .describe("Amounts of extra currencies by their numbers.");

export const accountStatus = z
  .enum(["nonexist", "uninit", "active", "frozen"])
  .describe("Whether the account exists and has code.");

export const interfaceNames = z.array(z.string()).describe("Kinds of contract it is, by name.");

export const opcodeHex = z
  .string()
  .regex(/^0x[0-9a-f]{8}$/)
  .describe("First 32 bits of the body.");

export const blockRef = z
  .object({
    workchain: z.int().describe("-1 for the masterchain, 0 for the basechain."),
    shard: shardHex,
    seqno: z.int().describe("Number of the block in its shard."),
  })
  .describe("A block by its place.");

export const addressBook = z
  .record(
    z.string(),
    z.object({
      user_friendly: z
        .string()
        .nullable()
        .describe("The friendly form: not bounceable for wallets and for accounts without code."),
      domain: z.string().nullable().describe("The shortest domain name that leads to the account."),
      interfaces: orNull(interfaceNames),
    }),
  )
  .describe("What is known of the addresses of the answer, by their raw form.");

export const tokenInfo = z
  .object({
    valid: z
      .boolean()
      .optional()
      .describe("Whether the metadata could be read; absent before that was tried."),
    type: z
      .string()
      .optional()
      .describe("`jetton_masters`, `jetton_wallets`, `nft_items`, `nft_collections`."),
    name: z.string().optional().describe("Name."),
    symbol: z.string().optional().describe("Symbol."),
    description: z.string().optional().describe("Description."),
    image: z.string().optional().describe("Where an image is."),
    nft_index: z.string().optional().describe("Index in the collection; of NFTs alone."),
    is_nsfw: z.boolean().optional().describe("Whether the content is unsafe to show."),
    is_scam: z.boolean().optional().describe("Whether it is known as a fraud."),
    extra: z.record(z.string(), z.unknown()).optional().describe("What else the metadata say."),
  })
  .describe("What a token says of itself.");

export const metadata = z
  .record(
    z.string(),
    z.object({
      is_indexed: z.boolean().describe("Whether all the metadata have been fetched."),
      token_info: z.array(tokenInfo).describe("One entry per kind of token."),
    }),
  )
  .describe("Metadata of the tokens of the answer, by raw address.");

/** What many answers bring along. */
export const answerExtras = { address_book: addressBook, metadata };

export const nullableAddress = rawAddressUpper.nullable();
export const nullableHash = hashBase64.nullable();

export const cellContent = z
  .object({
    hash: hashBase64.describe("Hash of the cell."),
    body: bocBase64.describe("The cell as a bag of cells."),
    decoded: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe("What it says, by its scheme `@type`; `null` for unknown schemes."),
  })
  .describe("A cell of a message.");
