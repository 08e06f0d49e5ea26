import { z } from "zod";
import { hashBase64, rawAddressUpper } from "./results.js";
import { answerExtras, blockRef } from "./v3-records.js";

const searchKinds = [
  "account",
  "jetton",
  "nft_collection",
  "domain",
  "nft_item",
  "transaction",
  "message",
  "block",
] as const;

const searchMatch = z
  .object({
    kind: z.enum(searchKinds).describe("What it is."),
    address: rawAddressUpper
      .optional()
      .describe("The account, the token, or the NFT of the domain; for a transaction its account."),
    name: z.string().optional().describe("Name of a token or an account, or the domain."),
    symbol: z.string().optional().describe("Symbol of a jetton."),
    wallet: rawAddressUpper.optional().describe("Account that the domain names as its wallet."),
    hash: hashBase64.optional().describe("Hash of the transaction, the message or the block."),
    transaction_hash: hashBase64.optional().describe("A transaction that has the message."),
    block: blockRef.optional(),
    is_scam: z.boolean().optional().describe("Whether the operator flags the token as a scam."),
  })
  .meta({ id: "SearchMatch", description: "Something that a search found." });

export type SearchMatch = z.output<typeof searchMatch>;

export const searchMatches = z
  .object({ matches: z.array(searchMatch).describe("What was found, the best first."), ...answerExtras })
  .meta({ id: "SearchMatches" });
