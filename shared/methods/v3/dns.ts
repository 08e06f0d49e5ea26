import { z } from "zod";
import { rule } from "../../schema/input.js";
import { dnsAuctions, dnsRecords } from "../../schema/v3/contracts/dns.js";
import { auctionCursor, auctionState, domainName } from "../../schema/v3/contracts/dns-params.js";
import { addressOrEmpty, bool, page, standardAddress } from "../../schema/v3/params.js";
import { oneOf, onlyOneOf } from "../../schema/v3/rules.js";
import { defineList } from "../define-list.js";
import { ofStory } from "../story-roles.js";
import { nobody } from "./examples.js";

const common = { group: "DNS", verbs: ["GET"], freshness: { kind: "index" } } as const;

const afterOrOffset = rule<{ after?: unknown; offset: number }>(({ after, offset }) =>
  after !== undefined && offset > 0 ? "use either after or offset, not both" : undefined,
);

export const dnsMethods = {
  dns: {
    records: defineList({
      ...common,
      summary: "Domains with their records, the shortest name first.",
      description: "Needs either `wallet` or `domain`.",
      params: z
        .object({
          wallet: addressOrEmpty.optional().describe("Only domains that name this account."),
          domain: domainName.optional().describe("Only this domain, such as `foundation.ton`."),
          ...page({ initial: 100, max: 1000 }),
        })
        .check(oneOf(["wallet", "domain"], "either wallet address or domain is required"))
        .check(onlyOneOf(["wallet", "domain"], "provide either wallet address or domain, not both")),
      result: dnsRecords,
      examples: [
        {
          params: { wallet: nobody },
          story: { wallet: ofStory("finn") },
          result: { records: [], address_book: {} },
        },
      ],
    }),

    activeAuctions: defineList({
      ...common,
      summary: "Auctions of domains that an account leads, the one that ends first comes first.",
      description: "Auctions that have ended are listed until they are settled.",
      params: z
        .object({
          bidder: standardAddress("bidder address is required").describe("Who made the highest bid."),
          state: auctionState
            .prefault("all")
            .describe("`won` for auctions that have ended, `bidding` for the others, `all` for both."),
          include_nft_items: bool.prefault(false).describe("Include the items."),
          after: auctionCursor.optional().describe("`next_cursor` of the page before."),
          ...page({ initial: 100, max: 1000 }),
        })
        .check(afterOrOffset),
      result: dnsAuctions,
      examples: [
        {
          params: { bidder: nobody },
          story: { bidder: ofStory("bidder") },
          result: { auctions: [], address_book: {}, metadata: {}, next_cursor: null },
        },
      ],
    }),
  },
};
