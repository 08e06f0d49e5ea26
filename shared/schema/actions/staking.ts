import { z } from "zod";
import { account, amount, text } from "./fields.js";

const provider = text("`nominator`, `liquid_staking` or `ethena`.");
const holder = account("Account that stakes.");
const pool = account("The pool.");
const staked = account("Master of the jetton that stands for the stake.");
const payoutNft = account("NFT that stands for the payout.");

export const stakingActions = {
  stake_deposit: z.object({
    provider,
    stake_holder: holder,
    pool,
    amount: amount("Units that were staked."),
    tokens_minted: amount("Units that were minted for them."),
    asset: staked,
    source_asset: account("Master of the jetton that was staked; `ethena` only.").optional(),
  }),
  stake_withdrawal: z.object({
    provider,
    stake_holder: holder,
    pool,
    amount: amount("Units that were paid out."),
    payout_nft: payoutNft,
    tokens_burnt: amount("Units that were burned for them."),
    asset: staked,
  }),
  stake_withdrawal_request: z.object({
    provider,
    stake_holder: holder,
    pool,
    payout_nft: payoutNft,
    asset: staked,
    tokens_burnt: amount("Units that were burned; `liquid_staking` only."),
    tokens_minted: amount("Units to be paid out; `ethena` only.").optional(),
  }),
  election_deposit: z.object({
    stake_holder: account("The validator."),
    amount: amount("Nanotons of the stake.").optional(),
  }),
  election_recover: z.object({
    stake_holder: account("The validator."),
    amount: amount("Nanotons that were returned.").optional(),
  }),
};
