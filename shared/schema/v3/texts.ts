import { z } from "zod";
import { integerText, rawAddressUpper } from "../../forms/values.js";

/** Kinds of icons. */
const icons = [
  "transfer",
  "call",
  "deploy",
  "system",
  "swap",
  "mint",
  "burn",
  "nft",
  "sale",
  "auction",
  "domain",
  "liquidity",
  "stake",
  "subscription",
  "multisig",
  "vesting",
  "wallet",
  "lending",
  "bridge",
  "service",
  "message",
  "unknown",
] as const;

export const preview = z
  .object({
    icon: z.enum(icons).describe("Kind of the icon."),
    title: z.string().describe("Heading."),
    values: z
      .array(
        z.object({
          role: z.string().describe("Name of the amount in the details."),
          amount: integerText.nullable().describe("Smallest units; null if unknown."),
          asset: rawAddressUpper
            .nullable()
            .describe("Master of the jetton; null for TON and unknown tokens."),
          symbol: z.string().describe("Symbol of the token, cut."),
          decimals: z.int().nullable().describe("Its decimals; null if unknown."),
          text: z.string().describe("Amount and symbol as in the text."),
        }),
      )
      .describe("Amounts in the text."),
    accounts: z
      .array(
        z.object({
          account: rawAddressUpper,
          role: z.string().describe("Name of the account in the details."),
          name: z.string().nullable().describe("Name in the text, cut; null if it has none."),
        }),
      )
      .describe("Accounts in the text."),
  })
  .meta({ id: "Preview", description: "The parts of a text." });

/** Members that `include_text` adds. */
export const texts = {
  text: z.string().optional().describe("An English sentence about it; on request."),
  preview: preview.optional().describe("The parts of the text; on request."),
};

export type Preview = z.output<typeof preview>;
