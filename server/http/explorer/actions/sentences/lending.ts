import type { ActionDetails } from "../../../../../shared/schema/v3-actions.js";
import { asset, jetton, list, type Phrase, quote, type Sentences, say, when, who } from "../phrase.js";

const reason = (text: string | null) => when(text, (words) => say`, which failed: ${quote(words)}`);
const vault = (address: string | null) => who(address, "a pool");

/** The master of a supplied asset is null for TON. */
function supplied({ amount, asset: master, is_ton }: ActionDetails["evaa_supply"]) {
  return is_ton ? asset(amount, null) : jetton(amount, master);
}

function refused(code: number | null): Phrase | undefined {
  return when(code || null, (exitCode) => say`, which was refused with exit code ${exitCode}`);
}

export const lendingSentences = {
  evaa_supply: (details) => say`${who(details.source)} supplied ${supplied(details)} to EVAA`,
  evaa_withdraw: (details) =>
    say`${who(details.source)} withdrew ${asset(details.amount, details.asset)} from EVAA${reason(details.fail_reason)}`,
  evaa_liquidate: ({ source, borrower, amount, collateral, fail_reason }) =>
    say`${who(source)} liquidated a loan of ${who(borrower)} on EVAA${when(collateral, (master) => say` for ${jetton(amount, master)}`)}${reason(fail_reason)}`,
  jvault_stake: ({ source, amount, asset: master, pool, period }) =>
    say`${who(source)} staked ${jetton(amount, master)} in ${vault(pool)} on JVault${when(period || null, (seconds) => say` for ${Math.ceil(seconds / 86_400)} days`)}`,
  jvault_unstake: ({ source, amount, asset: master, pool, exit_code }) =>
    say`${who(source)} took ${jetton(amount, master)} out of ${vault(pool)} on JVault${refused(exit_code)}`,
  jvault_unstake_request: ({ source, amount, asset: master, pool, exit_code }) =>
    say`${who(source)} asked ${vault(pool)} on JVault for ${jetton(amount, master)} back${refused(exit_code)}`,
  jvault_claim: ({ source, pool, claimed_rewards }) =>
    say`${who(source)} claimed ${claimed_rewards.length > 0 ? list(claimed_rewards.map((reward) => jetton(reward.amount, reward.jetton))) : "its rewards"} from ${vault(pool)} on JVault`,
} satisfies Partial<Sentences>;
