import { known, nullable, type Presenters, type StoredAction } from "./stored-action.js";

export const stakingPresenters: Presenters<
  "stake_deposit" | "stake_withdrawal" | "stake_withdrawal_request" | "election_deposit" | "election_recover"
> = {
  stake_deposit: (row) => ({
    ...nullable({
      ...staked(row),
      amount: row.amount,
      tokens_minted: row.staking_data.tokens_minted,
    }),
    ...(isEthena(row) && nullable({ source_asset: row.asset2 })),
  }),
  stake_withdrawal: (row) =>
    nullable({
      ...staked(row),
      amount: row.amount,
      payout_nft: row.staking_data.ts_nft,
      tokens_burnt: row.staking_data.tokens_burnt,
    }),
  stake_withdrawal_request: (row) => ({
    ...nullable({
      ...staked(row),
      payout_nft: row.staking_data.ts_nft,
      // TON Center never states it, because it checks for another name of the provider.
      tokens_burnt: row.staking_data.provider === "liquid_staking" ? row.amount : undefined,
    }),
    ...(isEthena(row) && nullable({ tokens_minted: row.staking_data.tokens_minted })),
  }),
  election_deposit: election,
  election_recover: election,
};

type Row = StoredAction<"stake_deposit">;

function staked({ staking_data: { provider }, source, destination, asset }: Row) {
  return { provider, stake_holder: source, pool: destination, asset };
}

function isEthena({ staking_data: { provider } }: Row): boolean {
  return provider === "ethena";
}

function election({ source, amount }: StoredAction<"election_deposit">) {
  return { ...nullable({ stake_holder: source }), ...known({ amount }) };
}
