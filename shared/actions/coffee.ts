import { z } from "zod";
import { asset, source, value } from "./common.js";
import { action } from "./declare.js";
import { type AddressText, account, amount, calculated, unsent } from "./member.js";

const pool = account("The pool.").in("destination");
const ownAsset = asset.in("asset");
const units = amount("Units of the asset.").in("amount");
const given = amount("Units of the provided asset.").in("amount");
const sourceWallet = account("Jetton wallet of the sender.").in("source_secondary");
const poolWallet = account("Jetton wallet of the pool.").in("destination_secondary");
const creator = account("The contract that collects both assets.").in("destination_secondary");
const asset1 = asset.in("asset2");
const asset2 = asset.in("asset2_secondary");
const nft = account("NFT of the deposit.");
const nftIndex = amount("Its index.");
const staked = {
  source,
  source_jetton_wallet: sourceWallet,
  pool,
  pool_jetton_wallet: poolWallet,
  asset: ownAsset,
  amount: units,
};

export const coffeeActions = {
  coffee_create_pool: action([17, "v2", "coffee_create_pool_data"], {
    source,
    source_jetton_wallet: sourceWallet,
    initiator_1: account("Account that provided the first asset."),
    initiator_2: account("Account that provided the second asset."),
    pool,
    pool_creator_contract: creator,
    provided_asset: asset,
    amount: given,
    asset_1: asset1,
    asset_2: asset2.rare(),
    amount_1: amount("Units of the first asset."),
    amount_2: amount("Units of the second asset."),
    lp_tokens_minted: amount("Liquidity tokens that were minted."),
    first_asset: unsent<AddressText>("asset"),
  }),
  coffee_create_pool_creator: action([16, "v2"], {
    source,
    source_jetton_wallet: sourceWallet,
    deposit_recipient: account("Receiver of the liquidity tokens.").in("destination"),
    pool_creator_contract: creator,
    provided_asset: ownAsset,
    asset_1: asset1,
    asset_2: asset2,
    amount: given,
  }),
  coffee_create_vault: action([15, "v2"], {
    source,
    vault: account("The vault.").in("destination"),
    asset: ownAsset,
    value,
  }),
  coffee_mev_protect_hold_funds: action([18, "v2"], {
    source,
    source_jetton_wallet: sourceWallet,
    mev_contract: account("The contract that holds the funds.").in("destination"),
    mev_contract_jetton_wallet: account("Its jetton wallet.").in("destination_secondary").rare(),
    asset: ownAsset,
    amount: units,
  }),
  coffee_mev_protect_failed_swap: action([19, "v2"], {
    error: calculated(
      z.string().describe("As in TON Center, this type has no details."),
      () => "unsupported action type: 'coffee_mev_protect_failed_swap'",
    ),
    recipient: unsent<AddressText>("destination"),
    asset: unsent<AddressText>("asset"),
  }),
  coffee_staking_deposit: action([21, "v2", "coffee_staking_deposit_data"], {
    ...staked,
    minted_item_address: nft,
    minted_item_index: nftIndex,
  }),
  coffee_staking_withdraw: action([22, "v2", "coffee_staking_withdraw_data"], {
    ...staked,
    nft_address: nft,
    nft_index: nftIndex,
    points: amount("Points of the deposit."),
  }),
  coffee_staking_claim_rewards: action([20, "v2"], {
    pool: pool.in("source"),
    pool_jetton_wallet: poolWallet.in("source_secondary"),
    recipient: account("Receiver of the reward.").in("destination"),
    recipient_jetton_wallet: account("Its jetton wallet.").in("destination_secondary"),
    asset: ownAsset,
    amount: units,
  }),
};
