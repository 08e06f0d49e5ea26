import { z } from "zod";
import { multisigOrders, multisigs } from "../../schema/v3/contracts/multisig.js";
import { addresses, bool, page, sort } from "../../schema/v3/params.js";
import { oneOf } from "../../schema/v3/rules.js";
import { defineList } from "../define-list.js";
import { ofStory } from "../story-roles.js";
import { nobody } from "./examples.js";

const common = { group: "Multisig", verbs: ["GET"], freshness: { kind: "index" } } as const;

export const multisigMethods = {
  multisig: {
    wallets: defineList({
      ...common,
      summary: "Multisig wallets, the one with the newest transaction first.",
      description: "Includes the first 10,000 of their orders; `multisig/orders` lists all of them.",
      params: z
        .object({
          address: addresses.optional().describe("Only these multisig wallets."),
          wallet_address: addresses.optional().describe("Only those with one of these signers or proposers."),
          include_orders: bool.prefault(true).describe("Also their orders."),
          ...page({ initial: 10, max: 1000 }),
          sort,
        })
        .check(
          oneOf(
            ["address", "wallet_address"],
            "At least one of address or wallet_address should be specified",
          ),
        ),
      result: multisigs,
      examples: [
        {
          params: { wallet_address: [nobody] },
          story: { address: [ofStory("multisig")] },
          result: { multisigs: [], address_book: {} },
        },
      ],
    }),

    orders: defineList({
      ...common,
      summary: "Orders of multisig wallets, the one with the newest transaction first.",
      description: "Only orders that their multisig wallet confirms.",
      params: z
        .object({
          address: addresses.optional().describe("Only these orders."),
          multisig_address: addresses.optional().describe("Only orders of these multisig wallets."),
          parse_actions: bool.prefault(false).describe("Also the parsed actions of the orders."),
          ...page({ initial: 10, max: 1000 }),
          sort,
        })
        .check(
          oneOf(
            ["address", "multisig_address"],
            "At least one of address or multisig_address should be specified",
          ),
        ),
      result: multisigOrders,
      examples: [
        {
          params: { multisig_address: [nobody] },
          story: { multisig_address: [ofStory("multisig")], parse_actions: true },
          result: { orders: [], address_book: {} },
        },
      ],
    }),
  },
};
