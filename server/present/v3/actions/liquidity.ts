import { nullable, numberOf, type Presenters, type StoredAction } from "./stored-action.js";

export const liquidityPresenters: Presenters<
  | "dex_deposit_liquidity"
  | "dex_withdraw_liquidity"
  | "tonco_deploy_pool"
  | "dedust_v2_claim_fees"
  | "dedust_v2_claim_reward"
> = {
  dex_deposit_liquidity: ({ dex_deposit_liquidity_data: data, ...row }) => ({
    ...nullable({
      dex: data.dex,
      amount_1: data.amount1,
      amount_2: data.amount2,
      asset_1: data.asset1,
      asset_2: data.asset2,
      user_jetton_wallet_1: data.user_jetton_wallet_1,
      user_jetton_wallet_2: data.user_jetton_wallet_2,
      source: row.source,
      pool: row.destination,
      destination_liquidity: collectsDeposits.has(data.dex) ? row.destination_secondary : row.destination,
      lp_tokens_minted: data.lp_tokens_minted,
      target_asset_1: data.target_asset_1,
      target_asset_2: data.target_asset_2,
      target_amount_1: data.target_amount_1,
      target_amount_2: data.target_amount_2,
      tick_lower: numberOf(data.tick_lower),
      tick_upper: numberOf(data.tick_upper),
      nft_index: data.nft_index,
      nft_address: data.nft_address,
    }),
    vault_excesses: (data.vault_excesses ?? []).map(({ asset, amount }) => nullable({ asset, amount })),
  }),
  dex_withdraw_liquidity: ({ dex_withdraw_liquidity_data: data, ...row }) =>
    nullable({
      dex: data.dex,
      ...sides(data),
      lp_tokens_burnt: data.lp_tokens_burnt,
      // TON Center never fills it.
      is_refund: undefined,
      source: row.source,
      pool: row.destination,
      destination_liquidity: row.destination,
      burnt_nft_index: data.burned_nft_index,
      burnt_nft_address: data.burned_nft_address,
      tick_lower: numberOf(data.tick_lower),
      tick_upper: numberOf(data.tick_upper),
    }),
  tonco_deploy_pool: ({ tonco_deploy_pool_data: data, ...row }) =>
    nullable({
      source: row.source,
      pool: row.destination_secondary,
      router: row.destination,
      router_jetton_wallet_1: data.jetton0_router_wallet,
      router_jetton_wallet_2: data.jetton1_router_wallet,
      jetton_minter_1: data.jetton0_minter,
      jetton_minter_2: data.jetton1_minter,
      tick_spacing: numberOf(data.tick_spacing),
      initial_price_x96: data.initial_price_x96,
      protocol_fee: numberOf(data.protocol_fee),
      lp_fee_base: numberOf(data.lp_fee_base),
      lp_fee_current: data.lp_fee_current,
      pool_active: data.pool_active,
    }),
  dedust_v2_claim_fees: ({ dex_withdraw_liquidity_data: data, ...row }) =>
    nullable({
      ...claimed(row, data),
      ...sides(data),
      dex_jetton_wallet_1: data.dex_jetton_wallet_1,
      dex_jetton_wallet_2: data.dex_jetton_wallet_2,
    }),
  dedust_v2_claim_reward: ({ dex_withdraw_liquidity_data: data, ...row }) =>
    nullable({
      ...claimed(row, data),
      asset: data.asset1_out,
      amount: data.amount1,
      user_jetton_wallet: data.user_jetton_wallet_1,
      dex_jetton_wallet: data.dex_jetton_wallet_1,
    }),
};

/** Exchanges where a separate contract collects the two sides of a deposit. */
const collectsDeposits: ReadonlySet<string> = new Set(["dedust", "dedust_v2"]);

type Withdrawal = StoredAction<"dex_withdraw_liquidity">["dex_withdraw_liquidity_data"];

function sides(data: Withdrawal) {
  return {
    amount_1: data.amount1,
    amount_2: data.amount2,
    asset_1: data.asset1_out,
    asset_2: data.asset2_out,
    user_jetton_wallet_1: data.user_jetton_wallet_1,
    user_jetton_wallet_2: data.user_jetton_wallet_2,
  };
}

type Row = Pick<StoredAction<"dedust_v2_claim_fees">, "source" | "destination" | "destination_secondary">;

function claimed({ source, destination, destination_secondary }: Row, { dex }: Withdrawal) {
  return { dex, source, pool: destination, position: destination_secondary };
}
