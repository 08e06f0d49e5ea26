import { z } from "zod";
import { hashBase64, rawAddressUpper } from "../../forms/values.js";
import { answerExtras, blockRef } from "./records.js";

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
    address: rawAddressUpper.optional().describe("Its account; of a domain the NFT."),
    name: z.string().optional().describe("Its name."),
    symbol: z.string().optional().describe("Symbol of a jetton."),
    wallet: rawAddressUpper.optional().describe("Wallet of a domain."),
    hash: hashBase64.optional().describe("Its hash."),
    transaction_hash: hashBase64.optional().describe("A transaction that has the message."),
    block: blockRef.optional(),
    is_scam: z.boolean().optional().describe("Whether it is flagged as a scam."),
  })
  .meta({ id: "SearchMatch", description: "A match." });

export type SearchMatch = z.output<typeof searchMatch>;

export const searchMatches = z
  .object({ matches: z.array(searchMatch).describe("What was found, the best first."), ...answerExtras })
  .meta({ id: "SearchMatches" });
