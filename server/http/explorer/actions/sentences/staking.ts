import type { ActionDetails } from "../../../../../shared/schema/v3-actions.js";
import { jetton, type Phrase, type Sentences, say, ton, when, who } from "../phrase.js";

type Deposit = ActionDetails["stake_deposit"];
type Withdrawal = ActionDetails["stake_withdrawal"];
type Request = ActionDetails["stake_withdrawal_request"];

const pool = (address: string | null) => who(address, "a pool");

/** Only Ethena accepts stakes of a jetton; details of a withdrawal do not name it. */
function staked({ provider, amount, source_asset }: Deposit) {
  return provider === "ethena" ? jetton(amount, source_asset) : ton(amount);
}

function paidOut({ provider, amount }: Withdrawal) {
  return provider === "ethena" ? jetton(amount, null) : ton(amount);
}

function requested({ tokens_burnt, tokens_minted, asset }: Request): Phrase | undefined {
  return when(tokens_burnt ?? tokens_minted, (units) => say`, for ${jetton(units, asset)}`);
}

export const stakingSentences = {
  stake_deposit: (details) =>
    say`${who(details.stake_holder)} staked ${staked(details)} in ${pool(details.pool)}${when(details.tokens_minted, (units) => say` for ${jetton(units, details.asset)}`)}`,
  stake_withdrawal: (details) =>
    say`${who(details.stake_holder)} withdrew a stake of ${paidOut(details)} from ${pool(details.pool)}${when(details.tokens_burnt, (units) => say` for ${jetton(units, details.asset)}`)}`,
  stake_withdrawal_request: (details) =>
    say`${who(details.stake_holder)} asked ${pool(details.pool)} for a stake back${requested(details)}`,
  election_deposit: ({ stake_holder, amount }) =>
    say`${who(stake_holder)} staked ${ton(amount)} in the validator elections`,
  election_recover: ({ stake_holder, amount }) =>
    say`${who(stake_holder)} recovered ${ton(amount)} from the validator elections`,
} satisfies Partial<Sentences>;
