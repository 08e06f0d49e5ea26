import { z } from "zod";
import { account, amount, asset, dex, flag, integer, jetton, source, value } from "./fields.js";

const pool = account("The pool.");
const assets = { asset_1: asset, asset_2: asset };
const amounts = {
  amount_1: amount("Units of the first asset."),
  amount_2: amount("Units of the second asset."),
};
const userWallets = {
  user_jetton_wallet_1: account("Jetton wallet of the user for the first asset."),
  user_jetton_wallet_2: account("Jetton wallet of the user for the second asset."),
};
const ticks = {
  tick_lower: integer("Lower end of the price range."),
  tick_upper: integer("Upper end of the price range."),
};
const lpMinted = amount("Liquidity tokens that were minted.");
const sourceWallet = account("Jetton wallet of the sender.");
const poolWallet = account("Jetton wallet of the pool.");
const staked = {
  source,
  source_jetton_wallet: sourceWallet,
  pool,
  pool_jetton_wallet: poolWallet,
  asset,
  amount: amount("Units of the asset."),
};

export const liquidityActions = {
  dex_deposit_liquidity: z.object({
    dex,
    ...amounts,
    ...assets,
    ...userWallets,
    source,
    pool,
    destination_liquidity: account("The contract that collects the deposit; else the pool."),
    lp_tokens_minted: lpMinted,
    target_asset_1: asset,
    target_asset_2: asset,
    target_amount_1: amount("Requested units of the first asset."),
    target_amount_2: amount("Requested units of the second asset."),
    vault_excesses: z
      .array(z.object({ asset, amount: amount("Units of the asset.") }))
      .describe("Returned assets."),
    ...ticks,
    nft_index: amount("Index of the position."),
    nft_address: account("NFT of the position."),
  }),
  dex_withdraw_liquidity: z.object({
    dex,
    ...amounts,
    ...assets,
    ...userWallets,
    lp_tokens_burnt: amount("Liquidity tokens that were burned."),
    is_refund: flag("Always `null`, as in TON Center."),
    source,
    pool,
    destination_liquidity: pool,
    burnt_nft_index: amount("Index of the position."),
    burnt_nft_address: account("NFT of the position."),
    ...ticks,
  }),
  tonco_deploy_pool: z.object({
    source,
    pool,
    router: account("The router."),
    router_jetton_wallet_1: account("Jetton wallet of the router for the first jetton."),
    router_jetton_wallet_2: account("Jetton wallet of the router for the second jetton."),
    jetton_minter_1: jetton,
    jetton_minter_2: jetton,
    tick_spacing: integer("Distance of prices."),
    initial_price_x96: amount("First price as a square root, times 2^96."),
    protocol_fee: integer("Fee of the protocol."),
    lp_fee_base: integer("Base fee for liquidity."),
    lp_fee_current: amount("Current fee for liquidity."),
    pool_active: flag("Whether the pool trades."),
  }),
  dedust_v2_claim_fees: z.object({
    dex,
    source,
    pool,
    position: account("The position."),
    ...assets,
    ...amounts,
    ...userWallets,
    dex_jetton_wallet_1: account("Jetton wallet of the exchange for the first asset."),
    dex_jetton_wallet_2: account("Jetton wallet of the exchange for the second asset."),
  }),
  dedust_v2_claim_reward: z.object({
    dex,
    source,
    pool,
    position: account("The position."),
    asset,
    amount: amount("Units of the asset."),
    user_jetton_wallet: account("Jetton wallet of the user."),
    dex_jetton_wallet: account("Jetton wallet of the exchange."),
  }),
  coffee_create_pool: z.object({
    source,
    source_jetton_wallet: sourceWallet,
    initiator_1: account("Account that provided the first asset."),
    initiator_2: account("Account that provided the second asset."),
    pool,
    pool_creator_contract: account("The contract that collects both assets."),
    provided_asset: asset,
    amount: amount("Units of the provided asset."),
    ...assets,
    ...amounts,
    lp_tokens_minted: lpMinted,
  }),
  coffee_create_pool_creator: z.object({
    source,
    source_jetton_wallet: sourceWallet,
    deposit_recipient: account("Receiver of the liquidity tokens."),
    pool_creator_contract: account("The contract that collects both assets."),
    provided_asset: asset,
    ...assets,
    amount: amount("Units of the provided asset."),
  }),
  coffee_create_vault: z.object({ source, vault: account("The vault."), asset, value }),
  coffee_mev_protect_hold_funds: z.object({
    source,
    source_jetton_wallet: sourceWallet,
    mev_contract: account("The contract that holds the funds."),
    mev_contract_jetton_wallet: account("Its jetton wallet."),
    asset,
    amount: amount("Units of the asset."),
  }),
  coffee_mev_protect_failed_swap: z.object({
    error: z.string().describe("As in TON Center, this type has no details."),
  }),
  coffee_staking_deposit: z.object({
    ...staked,
    minted_item_address: account("NFT of the deposit."),
    minted_item_index: amount("Its index."),
  }),
  coffee_staking_withdraw: z.object({
    ...staked,
    nft_address: account("NFT of the deposit."),
    nft_index: amount("Its index."),
    points: amount("Points of the deposit."),
  }),
  coffee_staking_claim_rewards: z.object({
    pool,
    pool_jetton_wallet: poolWallet,
    recipient: account("Receiver of the reward."),
    recipient_jetton_wallet: account("Its jetton wallet."),
    asset,
    amount: amount("Units of the asset."),
  }),
};
