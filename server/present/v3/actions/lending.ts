import { nullable, numberOf, type Presenters, type StoredAction } from "./stored-action.js";

export const lendingPresenters: Presenters<
  | "evaa_supply"
  | "evaa_withdraw"
  | "evaa_liquidate"
  | "jvault_stake"
  | "jvault_unstake"
  | "jvault_unstake_request"
  | "jvault_claim"
> = {
  evaa_supply: ({ evaa_supply_data: data, ...row }) =>
    nullable({
      sender_jetton_wallet: data.sender_jetton_wallet,
      recipient_jetton_wallet: data.recipient_jetton_wallet,
      master_jetton_wallet: data.master_jetton_wallet,
      master: data.master,
      asset_id: data.asset_id,
      is_ton: data.is_ton,
      source: row.source,
      source_wallet: row.source_secondary,
      recipient: row.destination,
      recipient_contract: row.destination_secondary,
      asset: row.asset,
      amount: row.amount,
    }),
  evaa_withdraw: ({ evaa_withdraw_data: data, ...row }) =>
    nullable({
      recipient_jetton_wallet: data.recipient_jetton_wallet,
      master_jetton_wallet: data.master_jetton_wallet,
      master: data.master,
      fail_reason: data.fail_reason,
      asset_id: data.asset_id,
      source: row.source,
      recipient: row.destination,
      owner_contract: row.destination_secondary,
      asset: row.asset,
      amount: row.amount,
    }),
  evaa_liquidate: ({ evaa_liquidate_data: data, ...row }) => ({
    ...nullable({
      fail_reason: data.fail_reason,
      debt_amount: data.debt_amount,
      source: row.source,
      borrower: row.destination,
      borrower_contract: row.destination_secondary,
      collateral: row.asset2,
      asset_id: data.asset_id,
      asset: row.asset,
      amount: row.amount,
    }),
    is_known_asset: row.asset !== undefined,
  }),
  jvault_stake: ({ jvault_stake_data: data, ...row }) =>
    nullable({
      period: numberOf(data.period),
      minted_stake_jettons: data.minted_stake_jettons,
      stake_wallet: data.stake_wallet,
      source: row.source,
      source_jetton_wallet: row.source_secondary,
      asset: row.asset,
      pool: row.destination,
      amount: row.amount,
    }),
  jvault_unstake: unstake,
  jvault_unstake_request: unstake,
  jvault_claim: ({ jvault_claim_data: data, ...row }) => ({
    claimed_rewards: data.claimed_jettons.map((jetton, i) =>
      nullable({ jetton, amount: data.claimed_amounts[i] }),
    ),
    ...nullable(vault(row)),
  }),
};

function vault({ source, source_secondary, destination }: Omit<StoredAction<"jvault_unstake">, never>) {
  return { source, stake_wallet: source_secondary, pool: destination };
}

function unstake(row: StoredAction<"jvault_unstake">) {
  return nullable({
    ...vault(row),
    amount: row.amount,
    // The column that has the opcode for other types.
    exit_code: row.opcode === undefined ? undefined : row.opcode | 0,
    asset: row.asset,
    staking_asset: row.asset2,
  });
}
