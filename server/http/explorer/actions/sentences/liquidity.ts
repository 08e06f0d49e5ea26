import { coin } from "../../parts/coin.js";
import { exchangeName } from "../exchange-names.js";
import { asset, list, type Phrase, type Sentences, say, ton, when, who } from "../phrase.js";

type Pair = {
  readonly asset_1: string | null;
  readonly asset_2: string | null;
  readonly amount_1: string | null;
  readonly amount_2: string | null;
};

/** The known non-zero amounts of a pair; a deposit may be of one asset only. */
function pair({ asset_1, asset_2, amount_1, amount_2 }: Pair): Phrase {
  const sides = [
    [amount_1, asset_1],
    [amount_2, asset_2],
  ] as const;
  const moved = sides.filter(([amount]) => amount !== null && amount !== "0");
  return moved.length === 0 ? say`liquidity` : list(moved.map(([amount, master]) => asset(amount, master)));
}

const pool = (address: string | null) => who(address, "a pool");

export const liquiditySentences = {
  dex_deposit_liquidity: (details) =>
    say`${who(details.source)} added ${pair(details)} to ${pool(details.pool)} on ${exchangeName(details.dex)}`,
  dex_withdraw_liquidity: (details) =>
    say`${who(details.source)} withdrew ${pair(details)} from ${pool(details.pool)} on ${exchangeName(details.dex)}`,
  tonco_deploy_pool: ({ source, pool: address, jetton_minter_1, jetton_minter_2 }) =>
    say`${who(source)} created ${pool(address)} on TONCO for ${who(jetton_minter_1, "a jetton")} and ${who(jetton_minter_2, "a jetton")}`,
  dedust_v2_claim_fees: (details) =>
    say`${who(details.source)} claimed fees of ${pair(details)} from ${pool(details.pool)} on ${exchangeName(details.dex)}`,
  dedust_v2_claim_reward: ({ source, amount, asset: master, pool: address, dex }) =>
    say`${who(source)} claimed a reward of ${asset(amount, master)} from ${pool(address)} on ${exchangeName(dex)}`,
  // As in TON Center, the details name only the asset that this account provided, not the pool's pair.
  coffee_create_pool: ({ source, pool: address, amount, provided_asset }) =>
    say`${who(source)} created ${pool(address)} on swap.coffee, providing ${asset(amount, provided_asset)}`,
  coffee_create_pool_creator: ({ source, amount, provided_asset }) =>
    say`${who(source)} provided ${asset(amount, provided_asset)} for a new pool on swap.coffee`,
  coffee_create_vault: ({ source, vault, asset: master, value }) =>
    say`${who(source)} created ${who(vault, "a vault")} on swap.coffee for ${who(master, coin())}${when(value, (nanotons) => say`, sending ${ton(nanotons)}`)}`,
  coffee_mev_protect_hold_funds: ({ source, amount, asset: master }) =>
    say`${who(source)} gave ${asset(amount, master)} to swap.coffee to hold for a protected swap`,
  coffee_mev_protect_failed_swap: () =>
    say`swap.coffee returned what it held for a protected swap that failed`,
  coffee_staking_deposit: ({ source, amount, asset: master }) =>
    say`${who(source)} staked ${asset(amount, master)} on swap.coffee`,
  coffee_staking_withdraw: ({ source, amount, asset: master }) =>
    say`${who(source)} took a stake of ${asset(amount, master)} out of swap.coffee`,
  coffee_staking_claim_rewards: ({ recipient, amount, asset: master }) =>
    say`${who(recipient)} claimed a reward of ${asset(amount, master)} on swap.coffee`,
} satisfies Partial<Sentences>;
