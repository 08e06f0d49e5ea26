import { z } from "zod";
import { integerText, rawAddressUpper, unsigned32 } from "../../forms/values.js";
import { answerExtras, blockRef, decimal } from "./records.js";

const balancePoint = z
  .object({
    utime: z.number().describe("Time of the last transaction of the block or day."),
    lt: decimal.describe("Its logical time."),
    balance: decimal.describe("Balance after it, in nanotons or units."),
    block_ref: blockRef,
    mc_block_seqno: unsigned32.describe("Its masterchain block."),
  })
  .meta({ id: "BalancePoint", description: "A balance in the past." });

export const balanceHistory = z
  .object({
    history: z.array(balancePoint).describe("The balances."),
    jetton_wallet: rawAddressUpper.nullable().describe("The wallet of the jetton, if there is one."),
    next_end_lt: decimal.nullable().describe("`end_lt` of the next page; `null` at the end."),
    known_since_lt: decimal
      .nullable()
      .describe(
        "Balances of the jetton before this logical time are not known; `null` if all are: it ends at airdrops, at messages outside of the standard, and where the index begins.",
      ),
    ...answerExtras,
  })
  .meta({ id: "BalanceHistory" });

const jettonDiff = z
  .object({
    jetton: rawAddressUpper.describe("The jetton master."),
    jetton_wallet: rawAddressUpper.describe("The account's wallet."),
    change: integerText
      .nullable()
      .describe("Change of its balance; `null` if not known, as for more than 250 transactions."),
  })
  .meta({ id: "JettonDiff", description: "Change of a balance of a jetton." });

const nanotons = integerText.nullable();

export const accountDiff = z
  .object({
    balance_before: nanotons.describe("Nanotons at the start; `null` if not known, as inside of a block."),
    balance_after: nanotons.describe("Nanotons at the end."),
    change: nanotons.describe("Their difference."),
    jettons: z.array(jettonDiff).describe("Jettons that may have changed."),
    has_all_jettons: z.boolean().describe("Whether there are at most 40 transfers, 40 burns and 20 jettons."),
    ...answerExtras,
  })
  .meta({ id: "AccountDiff" });
