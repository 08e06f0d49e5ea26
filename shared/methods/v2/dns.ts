import { z } from "zod";
import { input, unreadable } from "../../schema/input.js";
import { bytesBase64, hashBase64, hashHex } from "../../schema/results.js";
import { accountAddress as account, int32, readHashForm } from "../../schema/v2-params.js";
import { accountAddress, typeName } from "../../schema/v2-records.js";
import { defineMethod } from "../define.js";
import { nobody } from "./examples.js";

const adnlAddress = z
  .object({
    "@type": typeName("adnlAddress"),
    adnl_address: z
      .string()
      .regex(/^[a-z2-7]{55}$/)
      .describe("The address in base32."),
  })
  .describe("Address of a host in the TON network.");

const entryData = z
  .discriminatedUnion("@type", [
    z
      .object({ "@type": typeName("dns.entryDataText"), text: z.string().describe("The text.") })
      .describe("A text."),
    z
      .object({
        "@type": typeName("dns.entryDataNextResolver"),
        resolver: accountAddress.describe("Who knows the names below."),
      })
      .describe("Another resolver."),
    z
      .object({
        "@type": typeName("dns.entryDataSmcAddress"),
        smc_address: accountAddress.describe("The contract, as a rule the owner's wallet."),
      })
      .describe("A contract."),
    z
      .object({
        "@type": typeName("dns.entryDataAdnlAddress"),
        adnl_address: adnlAddress.describe("The site's host."),
      })
      .describe("A site in the TON network."),
    z
      .object({
        "@type": typeName("dns.entryDataStorageAddress"),
        bag_id: hashHex.describe("Id of the bag."),
      })
      .describe("A bag in TON Storage."),
    z
      .object({
        "@type": typeName("dns.entryDataUnknown"),
        bytes: bytesBase64.describe("The record as a bag of cells."),
      })
      .describe("A record of another kind."),
  ])
  .describe("What the name stands for.");

/** A name as it is written, `wallet.foundation`, or without anything: the resolver's own. */
const domainName = input<string, string>({ type: "string" }, (given) => {
  if (typeof given !== "string") return unreadable;
  return given === "" || given.endsWith(".") ? given : `${given}.`;
});

/** A hash, or a name whose hash it is. */
const category = input<string, Uint8Array | string | undefined>({ type: "string" }, (given) => {
  if (typeof given !== "string") return unreadable;
  return given === "" ? undefined : (readHashForm(given) ?? given);
});

export const dnsMethods = {
  dnsResolve: defineMethod({
    summary: "What a domain name stands for.",
    group: "Accounts",
    verbs: ["GET", "POST"],
    params: z.object({
      address: account.describe("The resolver to ask."),
      name: domainName.prefault("").describe("The name, as `foundation` at the resolver of `.ton`."),
      category: category
        .optional()
        .describe("One category: `wallet`, `site`, `storage`, or its key as a hash; all unless given."),
      ttl: int32({ atLeast: 0 }).prefault(0).describe("To how many resolvers further on to go."),
      seqno: int32({ atLeast: 1 })
        .optional()
        .describe("Masterchain block to read at; the last one unless given."),
    }),
    result: z.object({
      "@type": typeName("dns.resolved"),
      entries: z
        .array(
          z.object({
            "@type": typeName("dns.entry"),
            name: z.string().describe("The part of the name that was resolved, below the last resolver."),
            category: hashBase64.describe("Key of the category: SHA-256 of its name."),
            entry: entryData,
          }),
        )
        .describe("The records; none for a name nobody has."),
    }),
    freshness: { kind: "head", pinnedBy: ["seqno"] },
    errors: ["liteserver-error"],
    examples: [
      {
        params: { address: nobody, name: "foundation", ttl: 1 },
        result: { "@type": "dns.resolved", entries: [] },
      },
    ],
  }),
};
