import { z } from "zod";
import { bocBase64, hashBase64, rawAddressUpper, signed32, unsigned32 } from "../../forms/values.js";

// Common records of v3 results.

/** The schema made nullable, with its description kept. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullable().describe(schema.description!);
}

export const shardHex = z
  .string()
  .regex(/^(?:0|[1-9A-F][0-9A-F]{0,15})$/)
  .meta({
    id: "ShardHex",
    description: "Shard in upper-case hex without leading zeros; `8000000000000000` is a whole workchain.",
  });

export const decimal = z.string().regex(/^\d+$/).meta({ id: "Decimal", description: "Decimal number." });

export const accountStatus = z
  .enum(["nonexist", "uninit", "active", "frozen"])
  .describe("Status of the account.");

export const interfaceNames = z
  .array(z.string())
  .describe("Names of the interfaces that the contract implements.");

export const blockRef = z
  .object({
    workchain: signed32.describe("-1 for the masterchain, 0 for the basechain."),
    shard: shardHex,
    seqno: unsigned32.describe("Seqno of the block."),
  })
  .meta({ id: "BlockRef", description: "A reference to a block." });

export const addressBook = z
  .record(
    z.string(),
    z
      .object({
        user_friendly: z
          .string()
          .nullable()
          .describe(
            "Friendly form: non-bounceable for wallets and for accounts without code, bounceable for others.",
          ),
        domain: z.string().nullable().describe("The shortest domain name of the account."),
        interfaces: orNull(interfaceNames),
        name: z
          .string()
          .optional()
          .describe("Name that `devnet.setName` gave to the account of a devnet; absent if it has none."),
      })
      .describe("An address."),
  )
  .meta({
    id: "AddressBook",
    description:
      "Friendly forms, domain names and interfaces of the addresses in the answer, by raw address.",
  });

/** The identity of a contract of a catalogue. */
export const catalogued = {
  catalog_id: z.string().describe("Id in the catalogue; the name of a contract of the operator's own."),
  display_name: z.string().describe("Name."),
};

export const contractLink = z
  .object({
    kind: z.string().describe("What is there, such as `source`."),
    title: z.string().describe("Title."),
    url: z
      .string()
      .describe("Address of a page. It is a statement of the catalogue, which nobody has checked."),
  })
  .meta({ id: "ContractLink", description: "A page about a contract." });

const codeBook = z
  .record(
    z.string(),
    z
      .object({
        interfaces: interfaceNames
          .optional()
          .describe("Names of the interfaces of contracts with this code; absent if none is known."),
        contracts: z
          .array(
            z
              .object({
                ...catalogued,
                links: z.array(contractLink).optional().describe("Pages about it; absent if there are none."),
              })
              .describe("A contract."),
          )
          .optional()
          .describe(
            "Entries of the service's catalogue with this code, the best first; absent if there are none.",
          ),
      })
      .describe("A code."),
  )
  .meta({
    id: "CodeBook",
    description:
      "Interfaces and contracts of the codes in the account states of the answer, by code hash. Only codes that are known by their hash are there, and without any the member is absent. It does not say which account has a code now. Newer versions of TON Center's ton-indexer have it; whether its hosted service does is not confirmed.",
  });

/** A member of answers with account states. */
export const withCodes = { code_book: codeBook.optional() };

const tokenExtra = z
  .object({
    decimals: z
      .union([z.string(), z.number()])
      .optional()
      .describe("Decimals of amounts of a jetton, as its metadata have them; absent means 9."),
    scaled_ui: z
      .object({
        numerator: decimal.describe("Its numerator; positive."),
        denominator: decimal.describe("Its denominator; positive."),
      })
      .optional()
      .describe(
        "Multiplier of a jetton's amounts for display (TEP-526), as its contract states it now: units times numerator by " +
          "denominator, rounded to the nearest unit. Amounts in answers are not multiplied. Absent if it states none.",
      ),
  })
  .catchall(z.unknown().describe("Other members of the metadata."))
  .meta({ id: "TokenExtra", description: "Further metadata of a token." });

export const tokenInfo = z
  .object({
    valid: z
      .boolean()
      .optional()
      .describe("Whether the metadata could be read; absent if it was not tried yet."),
    type: z
      .string()
      .optional()
      .describe("`jetton_masters`, `jetton_wallets`, `nft_items`, `nft_collections`."),
    name: z.string().optional().describe("Name."),
    symbol: z.string().optional().describe("Symbol."),
    description: z.string().optional().describe("Description."),
    image: z.string().optional().describe("URL of an image."),
    nft_index: z.string().optional().describe("Index in the collection; NFTs only."),
    is_nsfw: z.boolean().optional().describe("Whether the content is unsafe to show."),
    is_scam: z.boolean().optional().describe("Whether it is a known scam."),
    extra: tokenExtra.optional().describe("Further metadata."),
  })
  .meta({ id: "TokenInfo", description: "Metadata of a token." });

export const metadata = z
  .record(
    z.string(),
    z
      .object({
        is_indexed: z.boolean().describe("Whether all metadata has been fetched."),
        token_info: z.array(tokenInfo).describe("One entry per token type."),
      })
      .describe("Metadata of an account."),
  )
  .meta({ id: "Metadata", description: "Metadata of the tokens in the answer, by raw address." });

/** Additional members of many answers. */
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
      .describe("Decoded content with its scheme in `@type`; `null` for unknown schemes."),
  })
  .meta({ id: "CellContent", description: "A cell of a message." });

export type AddressBook = z.output<typeof addressBook>;
export type CodeBook = z.output<typeof codeBook>;
export type CodeContract = NonNullable<CodeBook[string]["contracts"]>[number];
export type Metadata = z.output<typeof metadata>;
export type TokenInfo = z.output<typeof tokenInfo>;
