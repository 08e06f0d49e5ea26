import { z } from "zod";
import { accountStateFull, walletState } from "../../schema/v3/accounts.js";
import { bool, hashes, someAddresses, someTexts } from "../../schema/v3/params.js";
import { addressBook, answerExtras, metadata, withCodes } from "../../schema/v3/records.js";
import { defineMethod } from "../define.js";
import { ofStory } from "../story-roles.js";
import { exampleBook, nobody } from "./examples.js";

const common = { group: "Accounts", verbs: ["GET"], freshness: { kind: "index" } } as const;

const address = someAddresses({
  missing: "address of account is required",
  atMost: { count: 1000, text: "maximum 1000 addresses allowed" },
}).describe("The accounts, at most 1000.");

const anyForms = someTexts({
  missing: "at least 1 address required",
  atMost: { count: 1024, text: "maximum 1024 addresses allowed" },
}).describe("The addresses in any form, at most 1024.");

const nothing = { address_book: {}, metadata: {} };

export const accountMethods = {
  accountStates: defineMethod({
    ...common,
    summary: "Latest states of accounts, in the order of the request.",
    description: "Accounts that are not in the index are omitted.",
    params: z.object({
      address,
      code_hash: hashes.optional().describe("Only accounts with one of these code hashes."),
      include_boc: bool.prefault(true).describe("Include code and data."),
      include_storage: bool
        .prefault(false)
        .describe("Include `storage`, the data by an ABI of the code; more than 8 MiB are refused with 413."),
    }),
    result: z.object({
      accounts: z.array(accountStateFull).describe("The accounts."),
      ...answerExtras,
      ...withCodes,
    }),
    examples: [
      {
        params: { address: [nobody] },
        story: { address: [ofStory("jetton_master")] },
        result: { accounts: [], ...nothing },
      },
    ],
  }),

  walletStates: defineMethod({
    ...common,
    summary: "Wallet type, seqno and balance of accounts.",
    description: "Accounts that are not in the index are omitted.",
    params: z.object({ address }),
    result: z.object({ wallets: z.array(walletState).describe("The accounts."), ...answerExtras }),
    examples: [
      {
        params: { address: [nobody] },
        story: { address: [ofStory("ann"), ofStory("eve")] },
        result: { wallets: [], ...nothing },
      },
    ],
  }),

  addressBook: defineMethod({
    ...common,
    summary: "Friendly forms, domain names and interfaces of addresses.",
    params: z.object({ address: anyForms }),
    result: addressBook.describe("Address book entries, by the addresses as given in the request."),
    examples: [
      {
        params: { address: [nobody] },
        story: { address: [ofStory("finn"), ofStory("nft_item")] },
        result: { [nobody]: Object.values(exampleBook)[0]! },
      },
    ],
  }),

  metadata: defineMethod({
    ...common,
    summary: "Metadata of tokens.",
    description: "Addresses without metadata are omitted.",
    params: z.object({ address: anyForms }),
    result: metadata,
    examples: [
      {
        params: { address: [nobody] },
        story: { address: [ofStory("jetton_master"), ofStory("nft_item")] },
        result: {},
      },
    ],
  }),
};
