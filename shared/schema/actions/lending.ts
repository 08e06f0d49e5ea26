import { z } from "zod";
import { account, amount, asset, flag, integer, jetton, text } from "./fields.js";

const units = amount("Units of the asset.");
const assetId = text("Id of the asset in the pool, `0x` and hex.");
const master = account("The pool.");
const failReason = text("Why it failed.");
const stakeWallet = account("The contract that holds the stake.");
const vault = {
  source: account("Account that stakes."),
  stake_wallet: stakeWallet,
  pool: account("The pool."),
};

const unstake = z.object({
  ...vault,
  amount: amount("Units of the staked jetton."),
  exit_code: integer("Exit code of the request."),
  asset: jetton,
  staking_asset: jetton,
});

export const lendingActions = {
  evaa_supply: z.object({
    sender_jetton_wallet: account("Jetton wallet of the sender."),
    recipient_jetton_wallet: account("Jetton wallet of the pool that received the asset."),
    master_jetton_wallet: account("Jetton wallet of the pool."),
    master,
    asset_id: assetId,
    is_ton: flag("Whether the asset is TON."),
    source: account("Account that supplies."),
    source_wallet: account("Jetton wallet of that account."),
    recipient: account("Account in whose favour it supplies."),
    recipient_contract: account("The contract that keeps its position."),
    asset,
    amount: units,
  }),
  evaa_withdraw: z.object({
    recipient_jetton_wallet: account("Jetton wallet of the recipient."),
    master_jetton_wallet: account("Jetton wallet of the pool."),
    master,
    fail_reason: failReason,
    asset_id: assetId,
    source: account("Account that withdraws."),
    recipient: account("Receiver of the asset."),
    owner_contract: account("The contract that keeps the position."),
    asset,
    amount: units,
  }),
  evaa_liquidate: z.object({
    fail_reason: failReason,
    debt_amount: amount("Units of the debt that were paid."),
    source: account("The liquidator."),
    borrower: account("The borrower."),
    borrower_contract: account("The contract that keeps the borrower's position."),
    collateral: account("Master of the collateral."),
    asset_id: assetId,
    asset: account("Master of the debt; `null` for TON, and if it is not known."),
    is_known_asset: z.boolean().describe("Whether the asset of the debt is known."),
    amount: units,
  }),
  jvault_stake: z.object({
    period: integer("Seconds of the lock."),
    minted_stake_jettons: amount("Units that were minted for the stake."),
    stake_wallet: stakeWallet,
    source: account("Account that stakes."),
    source_jetton_wallet: account("Its jetton wallet."),
    asset: jetton,
    pool: account("The pool."),
    amount: amount("Units of the jetton."),
  }),
  jvault_unstake: unstake,
  jvault_unstake_request: unstake,
  jvault_claim: z.object({
    claimed_rewards: z
      .array(z.object({ jetton, amount: amount("Units of the jetton.") }))
      .describe("The rewards."),
    ...vault,
  }),
};
