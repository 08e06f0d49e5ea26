import { z } from "zod";
import { asset, jetton } from "./common.js";
import { action } from "./declare.js";
import {
  type AddressText,
  account,
  amount,
  calculated,
  exitCode,
  flag,
  objects,
  text,
  unsent,
  unsentList,
  wideInteger,
} from "./member.js";

const units = amount("Units of the asset.").in("amount");
const assetId = text("Id of the asset in the pool, `0x` and hex.");
const master = account("The pool.");
const failReason = text("Why it failed.");
const stakeWallet = account("The contract that holds the stake.");
const vault = {
  source: account("Account that stakes.").in("source"),
  stake_wallet: stakeWallet.in("source_secondary"),
  pool: account("The pool.").in("destination"),
};

const unstake = {
  ...vault,
  amount: amount("Units of the staked jetton.").in("amount"),
  // The column that has the opcode for other types.
  exit_code: exitCode("Exit code of the request.").in("opcode"),
  asset: jetton.in("asset"),
  staking_asset: jetton.in("asset2"),
};

type Claimed = {
  readonly claimed_jettons?: readonly AddressText[];
  readonly claimed_amounts?: readonly string[];
};

export const lendingActions = {
  evaa_supply: action([54, "v2", "evaa_supply_data"], {
    sender_jetton_wallet: account("Jetton wallet of the sender.").rare(),
    recipient_jetton_wallet: account("Jetton wallet of the pool that received the asset."),
    master_jetton_wallet: account("Jetton wallet of the pool."),
    master,
    asset_id: assetId,
    is_ton: flag("Whether the asset is TON."),
    source: account("Account that supplies.").in("source"),
    source_wallet: account("Jetton wallet of that account.").in("source_secondary"),
    recipient: account("Account in whose favour it supplies.").in("destination"),
    recipient_contract: account("The contract that keeps its position.").in("destination_secondary"),
    asset: asset.in("asset"),
    amount: units,
  }),
  evaa_withdraw: action([55, "v2", "evaa_withdraw_data"], {
    recipient_jetton_wallet: account("Jetton wallet of the recipient."),
    master_jetton_wallet: account("Jetton wallet of the pool."),
    master,
    fail_reason: failReason,
    asset_id: assetId,
    source: account("Account that withdraws.").in("source"),
    recipient: account("Receiver of the asset.").in("destination"),
    owner_contract: account("The contract that keeps the position.").in("destination_secondary"),
    asset: asset.in("asset"),
    amount: units,
    is_ton: unsent<boolean>(".is_ton"),
  }),
  evaa_liquidate: action([56, "v2", "evaa_liquidate_data"], {
    fail_reason: failReason,
    debt_amount: amount("Units of the debt that were paid."),
    source: account("The liquidator.").in("source"),
    borrower: account("The borrower.").in("destination"),
    borrower_contract: account("The contract that keeps the borrower's position.").in(
      "destination_secondary",
    ),
    collateral: account("Master of the collateral.").in("asset2").rare(),
    asset_id: assetId,
    asset: account("Master of the debt; `null` for TON, and if it is not known.").in("asset").rare(),
    is_known_asset: calculated(
      z.boolean().describe("Whether the asset of the debt is known."),
      (stored: { asset?: string }) => stored.asset !== undefined,
    ),
    amount: units,
  }),
  jvault_stake: action([57, "v2", "jvault_stake_data"], {
    period: wideInteger("Seconds of the lock."),
    minted_stake_jettons: amount("Units that were minted for the stake.").rare(),
    stake_wallet: stakeWallet,
    source: vault.source,
    source_jetton_wallet: account("Its jetton wallet.").in("source_secondary"),
    asset: jetton.in("asset"),
    pool: vault.pool,
    amount: amount("Units of the jetton.").in("amount"),
  }),
  jvault_unstake: action([58, "v2"], unstake),
  jvault_unstake_request: action([59, "v2"], unstake),
  jvault_claim: action([60, "v2", "jvault_claim_data"], {
    claimed_rewards: calculated(
      objects("The rewards.", { jetton, amount: amount("Units of the jetton.") }),
      ({ claimed_jettons = [], claimed_amounts = [] }: Claimed) =>
        claimed_jettons.map((master, i) => ({ jetton: master, amount: claimed_amounts[i] ?? null })),
    ),
    ...vault,
    claimed_jettons: unsentList<AddressText>(),
    claimed_amounts: unsentList<bigint>({ isAmount: true }),
  }),
};
