import { z } from "zod";
import { accountStateFull, walletState } from "../../schema/v3-accounts.js";
import { addresses, bool, hashes, texts } from "../../schema/v3-params.js";
import { addressBook, companions, metadata } from "../../schema/v3-records.js";
import { listSize } from "../../schema/v3-rules.js";
import { defineMethod } from "../define.js";
import { exampleBook, nobody } from "./examples.js";

const common = { group: "Accounts", verbs: ["GET"], freshness: { kind: "index" } } as const;

const address = addresses.prefault([]).describe("The accounts, at most 1000.");
const accountsAsked = listSize<{ address: unknown[] }>("address", {
  missing: "address of account is required",
  max: 1000,
  tooMany: "maximum 1000 addresses allowed",
});

const written = texts.prefault([]).describe("The addresses in any form, at most 1024.");
const addressesAsked = listSize<{ address: unknown[] }>("address", {
  missing: "at least 1 address required",
  max: 1024,
  tooMany: "maximum 1024 addresses allowed",
});

const nothing = { address_book: {}, metadata: {} };

export const accountMethods = {
  accountStates: defineMethod({
    ...common,
    summary: "The last states of accounts, in the order asked for.",
    description: "Accounts the index does not know are left out.",
    params: z
      .object({
        address,
        code_hash: hashes.optional().describe("Accounts with this code alone; any of several."),
        include_boc: bool.prefault(true).describe("Whether to answer code and data too."),
      })
      .check(accountsAsked),
    result: z.object({ accounts: z.array(accountStateFull).describe("The accounts."), ...companions }),
    examples: [{ params: { address: [nobody] }, result: { accounts: [], ...nothing } }],
  }),

  walletStates: defineMethod({
    ...common,
    summary: "Accounts as wallets: kind, seqno and balance.",
    description: "Accounts the index does not know are left out.",
    params: z.object({ address }).check(accountsAsked),
    result: z.object({ wallets: z.array(walletState).describe("The accounts."), ...companions }),
    examples: [{ params: { address: [nobody] }, result: { wallets: [], ...nothing } }],
  }),

  addressBook: defineMethod({
    ...common,
    summary: "Friendly forms, names and kinds of addresses.",
    params: z.object({ address: written }).check(addressesAsked),
    result: addressBook.describe("What is known of the addresses, by the texts they were asked for with."),
    examples: [{ params: { address: [nobody] }, result: { [nobody]: Object.values(exampleBook)[0]! } }],
  }),

  metadata: defineMethod({
    ...common,
    summary: "Metadata of tokens.",
    description: "Addresses without any are left out.",
    params: z.object({ address: written }).check(addressesAsked),
    result: metadata,
    examples: [{ params: { address: [nobody] }, result: {} }],
  }),
};
