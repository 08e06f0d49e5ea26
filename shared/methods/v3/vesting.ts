import { z } from "zod";
import { vestingContracts } from "../../schema/v3/contracts/vesting.js";
import { addresses, bool, page } from "../../schema/v3/params.js";
import { oneOf, onlyOneOf } from "../../schema/v3/rules.js";
import { defineList } from "../define-list.js";
import { ofStory } from "../story-roles.js";
import { nobody } from "./examples.js";

export const vestingMethods = {
  vesting: defineList({
    group: "Vesting",
    verbs: ["GET"],
    freshness: { kind: "index" },
    summary: "Vesting wallets, in the order in which they appeared.",
    params: z
      .object({
        contract_address: addresses.optional().describe("Only these vesting wallets."),
        wallet_address: addresses.optional().describe("Only those with one of these owners or senders."),
        check_whitelist: bool
          .prefault(false)
          .describe("Also those with one of `wallet_address` in their whitelist."),
        ...page({ initial: 10, max: 1000 }),
      })
      .check(
        oneOf(
          ["contract_address", "wallet_address"],
          "at least one of contract_address or wallet_address is required",
        ),
      )
      .check(
        onlyOneOf(
          ["contract_address", "wallet_address"],
          "only one of contract_address or wallet_address should be specified",
        ),
      ),
    result: vestingContracts,
    examples: [
      {
        params: { wallet_address: [nobody] },
        story: { contract_address: [ofStory("vesting")] },
        result: { vesting_contracts: [], address_book: {} },
      },
    ],
  }),
};
