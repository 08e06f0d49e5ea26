import { z } from "zod";
import { hashBase64, integerText, rawAddressUpper } from "../../../forms/values.js";
import { nextCursor } from "../list-cursor.js";
import { answerExtras, decimal, nullableAddress } from "../records.js";
import { foundTokens } from "./found.js";

/** The state in which a contract was recognised last. */
export const recognisedState = {
  last_transaction_lt: decimal.describe("Logical time of the contract's last transaction."),
  code_hash: hashBase64.describe("Hash of its code."),
  data_hash: hashBase64.describe("Hash of its data."),
};

export const tokenContent = z
  .record(z.string(), z.string())
  .describe("Attributes that are stored on-chain (TEP-64), and the link to others as `uri`.");

const { last_transaction_lt, code_hash, data_hash } = recognisedState;

export const jettonMaster = z
  .object({
    address: rawAddressUpper.describe("The jetton master."),
    total_supply: integerText.describe("Number of indivisible units in circulation."),
    mintable: z.boolean().describe("Whether more can be minted."),
    admin_address: nullableAddress.describe("Address that may mint; `null` if minting is closed."),
    jetton_content: tokenContent,
    jetton_wallet_code_hash: hashBase64.describe("Hash of the code of its wallets."),
    code_hash,
    data_hash,
    last_transaction_lt,
  })
  .meta({ id: "JettonMaster", description: "A jetton." });

const mintlessInfo = z
  .object({
    amount: integerText.nullable().describe("Units of the jetton that the owner may claim."),
    start_from: z.number().nullable().describe("Unix time from which they can be claimed."),
    expire_at: z.number().nullable().describe("Unix time until which they can be claimed."),
    custom_payload_api_uri: z
      .array(z.string())
      .nullable()
      .describe("Services that make the custom payload of a transfer that claims."),
  })
  .describe("The airdrop of a mintless jetton that the owner has not claimed, if its amount is known.");

export const jettonWallet = z
  .object({
    address: rawAddressUpper.describe("The jetton wallet."),
    balance: integerText.describe("Balance in indivisible units of the jetton."),
    owner: rawAddressUpper.describe("Its owner."),
    jetton: rawAddressUpper.describe("Its jetton master."),
    ...recognisedState,
    mintless_info: mintlessInfo.optional(),
  })
  .meta({ id: "JettonWallet", description: "A jetton wallet." });

export const jettonMasters = z
  .object({
    jetton_masters: z.array(jettonMaster).describe("The jettons."),
    ...answerExtras,
    ...nextCursor,
    ...foundTokens,
  })
  .meta({ id: "JettonMasters" });

export const jettonWallets = z
  .object({
    jetton_wallets: z.array(jettonWallet).describe("The jetton wallets."),
    ...answerExtras,
    ...nextCursor,
    ...foundTokens,
  })
  .meta({ id: "JettonWallets" });

const jettonHolder = z
  .object({
    owner: rawAddressUpper.describe("The holder."),
    jetton_wallet: rawAddressUpper.describe("Its jetton wallet."),
    balance: integerText.describe("Balance in indivisible units of the jetton."),
    share: z
      .string()
      .nullable()
      .describe("Balance by supply, with nine decimals, rounded down; `null` without a supply."),
  })
  .meta({ id: "JettonHolder", description: "A holder of a jetton." });

export const jettonHolders = z
  .object({
    jetton_holders: z.array(jettonHolder).describe("The holders."),
    total_supply: integerText.nullable().describe("Supply of the jetton; `null` for an unknown jetton."),
    holders_count: z.number().optional().describe("Number of holders, if the list ends with this page."),
    ...answerExtras,
    ...nextCursor,
  })
  .meta({ id: "JettonHolders" });
