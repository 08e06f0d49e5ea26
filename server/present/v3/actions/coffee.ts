import { nullable, type Presenters, type StoredAction } from "./stored-action.js";

/** TON Center's answer for this type. */
const noDetails = { error: "unsupported action type: 'coffee_mev_protect_failed_swap'" };

export const coffeePresenters: Presenters<
  | "coffee_create_pool"
  | "coffee_create_pool_creator"
  | "coffee_create_vault"
  | "coffee_mev_protect_hold_funds"
  | "coffee_mev_protect_failed_swap"
  | "coffee_staking_deposit"
  | "coffee_staking_withdraw"
  | "coffee_staking_claim_rewards"
> = {
  coffee_create_pool: ({ coffee_create_pool_data: data, ...row }) =>
    nullable({
      source: row.source,
      source_jetton_wallet: row.source_secondary,
      initiator_1: data.initiator_1,
      initiator_2: data.initiator_2,
      pool: row.destination,
      pool_creator_contract: row.destination_secondary,
      provided_asset: data.provided_asset,
      amount: row.amount,
      asset_1: row.asset2,
      asset_2: row.asset2_secondary,
      amount_1: data.amount_1,
      amount_2: data.amount_2,
      lp_tokens_minted: data.lp_tokens_minted,
    }),
  coffee_create_pool_creator: (row) =>
    nullable({
      source: row.source,
      source_jetton_wallet: row.source_secondary,
      deposit_recipient: row.destination,
      pool_creator_contract: row.destination_secondary,
      provided_asset: row.asset,
      asset_1: row.asset2,
      asset_2: row.asset2_secondary,
      amount: row.amount,
    }),
  coffee_create_vault: ({ source, destination, asset, value }) =>
    nullable({ source, vault: destination, asset, value }),
  coffee_mev_protect_hold_funds: (row) =>
    nullable({
      source: row.source,
      source_jetton_wallet: row.source_secondary,
      mev_contract: row.destination,
      mev_contract_jetton_wallet: row.destination_secondary,
      asset: row.asset,
      amount: row.amount,
    }),
  coffee_mev_protect_failed_swap: () => noDetails,
  coffee_staking_deposit: ({ coffee_staking_deposit_data: data, ...row }) =>
    nullable({ ...staked(row), ...data }),
  coffee_staking_withdraw: ({ coffee_staking_withdraw_data: data, ...row }) =>
    nullable({ ...staked(row), ...data }),
  coffee_staking_claim_rewards: (row) =>
    nullable({
      pool: row.source,
      pool_jetton_wallet: row.source_secondary,
      recipient: row.destination,
      recipient_jetton_wallet: row.destination_secondary,
      asset: row.asset,
      amount: row.amount,
    }),
};

function staked(row: Omit<StoredAction<"coffee_staking_claim_rewards">, never>) {
  return {
    source: row.source,
    source_jetton_wallet: row.source_secondary,
    pool: row.destination,
    pool_jetton_wallet: row.destination_secondary,
    asset: row.asset,
    amount: row.amount,
  };
}
