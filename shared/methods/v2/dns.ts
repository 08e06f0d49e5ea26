import { z } from "zod";
import { bytesBase64, hashBase64, hashHex } from "../../forms/values.js";
import { input, unreadable } from "../../schema/input.js";
import { longest } from "../../schema/patterns.js";
import { accountAddress as account, int32, readHashForm } from "../../schema/v2/params.js";
import { accountAddress, typeName } from "../../schema/v2/records.js";
import { defineMethod } from "../define.js";
import { ofStory } from "../story-roles.js";
import { nobody } from "./examples.js";

const adnlAddress = z
  .object({
    "@type": typeName("adnlAddress"),
    adnl_address: z
      .string()
      .regex(/^[a-z2-7]{55}$/)
      .describe("The address in base32."),
  })
  .describe("ADNL address of a host in the TON network.");

const entryData = z
  .discriminatedUnion("@type", [
    z
      .object({ "@type": typeName("dns.entryDataText"), text: z.string().describe("The text.") })
      .describe("A text."),
    z
      .object({
        "@type": typeName("dns.entryDataNextResolver"),
        resolver: accountAddress.describe("Resolver of the names below."),
      })
      .describe("Another resolver."),
    z
      .object({
        "@type": typeName("dns.entryDataSmcAddress"),
        smc_address: accountAddress.describe("The contract, usually the owner's wallet."),
      })
      .describe("A contract."),
    z
      .object({
        "@type": typeName("dns.entryDataAdnlAddress"),
        adnl_address: adnlAddress.describe("ADNL address of the site."),
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
  .describe("A record of the name.");

/** Longer than a resolver accepts, so that too long names get tonlib's error texts. */
const nameSchema = { type: "string", maxLength: 256 };

/** A domain name such as `wallet.foundation`, with a final dot, which alone is the name of the resolver itself. */
const domainName = input<string, string>(nameSchema, (given) => {
  if (typeof given !== "string") return unreadable;
  return given.endsWith(".") ? given : `${given}.`;
});

const categorySchema = { type: "string", maxLength: longest.hash };

/** A category's hash, or its name. */
const category = input<string, Uint8Array | string | undefined>(categorySchema, (given) => {
  if (typeof given !== "string") return unreadable;
  return given === "" ? undefined : (readHashForm(given) ?? given);
});

export const dnsMethods = {
  dnsResolve: defineMethod({
    summary: "Resolves a domain name.",
    group: "Accounts",
    verbs: ["GET", "POST"],
    params: z.object({
      address: account.describe("The resolver contract."),
      name: domainName
        .prefault("")
        .describe(
          "The name, such as `foundation` at the resolver of `.ton`: at most 126 bytes with its final dot.",
        ),
      category: category
        .optional()
        .describe("A category: `wallet`, `site`, `storage`, or its key as a hash. Default: all."),
      ttl: int32({ atLeast: 0 }).prefault(0).describe("Maximum number of further resolvers to follow."),
      seqno: int32({ atLeast: 1 })
        .optional()
        .describe("Masterchain block to read at. Default: the last one."),
    }),
    result: z.object({
      "@type": typeName("dns.resolved"),
      entries: z
        .array(
          z.object({
            "@type": typeName("dns.entry"),
            name: z.string().describe("The resolved part of the name, below the last resolver."),
            category: hashBase64.describe("Key of the category: SHA-256 of its name."),
            entry: entryData,
          }),
        )
        .describe("The records; empty if the name is not registered."),
    }),
    freshness: { kind: "head", pinnedBy: ["seqno"] },
    errors: ["liteserver-error"],
    examples: [
      {
        params: { address: nobody, name: "foundation", ttl: 1 },
        story: { address: ofStory("dns_root"), name: "devnet.ton", ttl: 8 },
        result: { "@type": "dns.resolved", entries: [] },
      },
    ],
  }),
};
