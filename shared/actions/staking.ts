import { action } from "./declare.js";
import { type AddressText, account, amount, optionally, text, unsent } from "./member.js";

const stake = {
  provider: text("`nominator`, `liquid_staking` or `ethena`."),
  stake_holder: account("Account that stakes.").in("source"),
  pool: account("The pool.").in("destination"),
};
const staked = account("Master of the jetton that stands for the stake.").in("asset").rare();
const payoutNft = account("NFT that stands for the payout.").in(".ts_nft").rare();
const holder = account("The validator.").in("source");
const holderWallet = unsent<AddressText>("source_secondary").rare();

export const stakingActions = {
  stake_deposit: action([23, "v1", "staking_data"], {
    ...stake,
    amount: amount("Units that were staked.").in("amount"),
    tokens_minted: amount("Units that were minted for them.").rare(),
    asset: staked,
    source_asset: optionally(account("Master of the jetton that was staked; `ethena` only."))
      .in("asset2")
      .if("provider", "ethena")
      .rare(),
    holder_wallet: holderWallet,
  }),
  stake_withdrawal: action([24, "v1", "staking_data"], {
    ...stake,
    amount: amount("Units that were paid out.").in("amount"),
    payout_nft: payoutNft,
    tokens_burnt: amount("Units that were burned for them.").rare(),
    asset: staked,
  }),
  stake_withdrawal_request: action([25, "v1", "staking_data"], {
    ...stake,
    payout_nft: payoutNft,
    asset: staked,
    // TON Center never states it, because it checks for another name of the provider.
    tokens_burnt: amount("Units that were burned; `liquid_staking` only.")
      .in("amount")
      .if("provider", "liquid_staking")
      .rare(),
    tokens_minted: optionally(amount("Units to be paid out; `ethena` only.")).if("provider", "ethena").rare(),
    holder_wallet: holderWallet,
  }),
  election_deposit: action([26, "v1"], {
    stake_holder: holder,
    amount: optionally(amount("Nanotons of the stake.")).in("amount"),
  }),
  election_recover: action([27, "v1"], {
    stake_holder: holder,
    amount: optionally(amount("Nanotons that were returned.")).in("amount"),
  }),
};
