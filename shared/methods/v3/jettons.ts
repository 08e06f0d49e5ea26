import { z } from "zod";
import {
  address,
  addresses,
  bool,
  directions,
  lenientAddress,
  manyAddresses,
  page,
  sort,
  window,
} from "../../schema/v3/params.js";
import { oneOwnerForSeveral } from "../../schema/v3/rules.js";
import { jettonHolders, jettonMasters, jettonWallets } from "../../schema/v3/tokens/jettons.js";
import { jettonBurns, jettonTransfers } from "../../schema/v3/tokens/token-events.js";
import { defineList } from "../define-list.js";
import { ofStory } from "../story-roles.js";
import { nobody } from "./examples.js";

const common = { group: "Jettons", verbs: ["GET"], freshness: { kind: "index" } } as const;
const nothing = { address_book: {}, metadata: {} };

const ofEvent = {
  owner_address: addresses.optional().describe("Only those of these owners."),
  address: lenientAddress.optional().describe("An older name of `owner_address`, used without it only."),
  jetton_wallet: addresses.optional().describe("Only transfers or burns from these wallets."),
  jetton_master: address.optional().describe("Only those of this jetton."),
  ...window("time of the transaction"),
  ...page({ initial: 10, max: 1000 }),
  sort,
};

export const jettonMethods = {
  jetton: {
    masters: defineList({
      ...common,
      summary: "Jettons, in the order in which they appeared.",
      params: z.object({
        address: addresses.optional().describe("Only these jetton masters."),
        admin_address: addresses.optional().describe("Only jettons with one of these admins."),
        ...page({ initial: 10, max: 1000 }),
      }),
      result: jettonMasters,
      examples: [
        {
          params: { address: [nobody] },
          story: { address: [ofStory("jetton_master")] },
          result: { jetton_masters: [], ...nothing },
        },
      ],
    }),

    wallets: defineList({
      ...common,
      verbs: ["GET", "POST"],
      summary: "Jetton wallets, largest balance first.",
      description: "Only wallets that their jetton master confirms.",
      params: z
        .object({
          address: manyAddresses.optional().describe("Only these jetton wallets, at most 1000."),
          owner_address: manyAddresses.optional().describe("Only wallets of these owners, at most 1000."),
          jetton_address: addresses
            .optional()
            .describe("Only wallets of these jettons; several of them require exactly one owner."),
          exclude_zero_balance: bool
            .prefault(false)
            .describe("Leave out empty wallets without an airdrop to claim."),
          ...page({ initial: 10, max: 1000 }),
          sort: sort.describe("`desc` for the largest balance first, `asc` for the smallest first."),
        })
        .check(oneOwnerForSeveral("jetton_address")),
      result: jettonWallets,
      examples: [
        {
          params: { owner_address: [nobody] },
          story: { owner_address: [ofStory("ann")] },
          result: { jetton_wallets: [], ...nothing },
        },
      ],
    }),

    holders: defineList({
      ...common,
      summary: "Holders of a jetton with their shares, largest balance first.",
      description: "Without empty wallets and unclaimed airdrops.",
      params: z.object({
        jetton: address.describe("The jetton master."),
        ...page({ initial: 10, max: 1000 }),
      }),
      result: jettonHolders,
      examples: [
        {
          params: { jetton: nobody },
          story: { jetton: ofStory("jetton_master") },
          result: { jetton_holders: [], total_supply: null, holders_count: 0, ...nothing },
        },
      ],
    }),

    transfers: defineList({
      ...common,
      summary: "Transfers of jettons, newest first.",
      description:
        "Transfers that failed are left out. Incoming ones are found by their owner, not by a wallet.",
      params: z.object({
        ...ofEvent,
        direction: directions
          .optional()
          .describe("`in` for transfers to the owners, `out` for those from them. Default: both."),
      }),
      result: jettonTransfers,
      examples: [
        {
          params: { owner_address: [nobody] },
          story: { jetton_master: ofStory("jetton_master"), limit: 2 },
          result: { jetton_transfers: [], ...nothing },
        },
      ],
    }),

    burns: defineList({
      ...common,
      summary: "Burns of jettons, newest first.",
      description: "Includes burns that failed.",
      params: z.object(ofEvent),
      result: jettonBurns,
      examples: [
        {
          params: { owner_address: [nobody] },
          story: { jetton_master: ofStory("jetton_master") },
          result: { jetton_burns: [], ...nothing },
        },
      ],
    }),
  },
};
