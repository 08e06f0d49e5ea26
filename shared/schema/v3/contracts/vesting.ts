import { z } from "zod";
import { integerText, rawAddressUpper } from "../../../forms/values.js";
import { nextCursor } from "../list-cursor.js";
import { addressBook } from "../records.js";

export const vestingContract = z
  .object({
    address: rawAddressUpper.describe("The vesting wallet."),
    start_time: z.int().describe("Unix time at which vesting starts."),
    total_duration: z.int().describe("Seconds until all funds are unlocked."),
    unlock_period: z.int().describe("Seconds between two steps in which funds are unlocked."),
    cliff_duration: z.int().describe("Seconds before the first of them are unlocked."),
    sender_address: rawAddressUpper.describe("Who has locked the funds."),
    owner_address: rawAddressUpper.describe("Who receives them."),
    total_amount: integerText.describe("Nanotons that were locked."),
    whitelist: z
      .array(rawAddressUpper)
      .describe("Accounts that locked funds may be sent to, in ascending order."),
  })
  .meta({ id: "VestingContract", description: "A vesting wallet." });

export const vestingContracts = z
  .object({
    vesting_contracts: z.array(vestingContract).describe("The vesting wallets."),
    address_book: addressBook,
    ...nextCursor,
  })
  .meta({ id: "VestingContracts" });
