import type { Action } from "../../../../client/api.js";
import type { ActionDetails, ActionType } from "../../../../shared/schema/v3/actions.js";
import { englishActions } from "../../../../shared/text/english/english.js";
import type { Part } from "../../../../shared/text/phrase.js";
import { sentenceOf } from "../../../../shared/text/sentence.js";

type Amount = Extract<Part, { kind: "amount" }>;

/** An amount that changed hands: an account received it (`in`), gave it (`out`), or is neither side. */
export type Move = { readonly amount: Amount; readonly way: "in" | "out" | undefined };

type Member<Type extends ActionType> = (keyof ActionDetails[Type] & string) | "";
/** Members of the details that name the giver and the receiver; empty if they name none. */
type Sides<Type extends ActionType> = `${Member<Type>}>${Member<Type>}`;

const sent = { value: "source>destination" } as const;
const spent = { amount: "source>" } as const;
const received = { amount: ">source" } as const;
const paid = { amount: "source>destination" } as const;
const bothSpent = { amount_1: "source>", amount_2: "source>" } as const;
const bothReceived = { amount_1: ">source", amount_2: ">source" } as const;

/** Who gave the amounts of a sentence, by their names in it, and who received them. Prices and limits do not change hands. */
const sides: { readonly [Type in ActionType]?: Readonly<Record<string, Sides<Type>>> } = {
  call_contract: sent,
  contract_deploy: sent,
  ton_transfer: sent,
  extra_currency_transfer: sent,
  gasless_request: sent,
  jetton_transfer: { amount: "sender>receiver" },
  jetton_burn: { amount: "owner>" },
  jetton_mint: { amount: ">receiver" },
  jetton_swap: { amount_in: "sender>", amount_out: ">sender" },
  // The seller receives the price without fees.
  nft_transfer: { price: "new_owner>" },
  nft_purchase: { price: "new_owner>" },
  auction_bid: { amount: "bidder>auction" },
  auction_outbid: { amount: ">bidder" },
  dns_purchase: { price: "new_owner>" },
  dns_release: { value: "source>" },
  dex_deposit_liquidity: bothSpent,
  dex_withdraw_liquidity: bothReceived,
  dedust_v2_claim_fees: bothReceived,
  dedust_v2_claim_reward: received,
  coffee_create_pool: spent,
  coffee_create_pool_creator: spent,
  coffee_create_vault: { value: "source>" },
  coffee_mev_protect_hold_funds: spent,
  coffee_staking_deposit: spent,
  coffee_staking_withdraw: received,
  coffee_staking_claim_rewards: { amount: ">recipient" },
  stake_deposit: { amount: "stake_holder>", tokens_minted: ">stake_holder" },
  stake_withdrawal: { amount: ">stake_holder", tokens_burnt: "stake_holder>" },
  stake_withdrawal_request: { tokens: "stake_holder>" },
  election_deposit: { amount: "stake_holder>" },
  election_recover: { amount: ">stake_holder" },
  subscribe: { amount: "subscriber>beneficiary" },
  vesting_send_message: { amount: "vesting>destination" },
  evaa_supply: spent,
  evaa_withdraw: { amount: ">recipient" },
  evaa_liquidate: received,
  jvault_stake: spent,
  jvault_unstake: received,
  jvault_claim: { reward: ">source" },
  tgbtc_mint: { amount: ">destination" },
  tgbtc_mint_fallback: { amount: ">destination" },
  tgbtc_burn: spent,
  tgbtc_burn_fallback: spent,
  layerzero_send_tokens: { amount: "sender>" },
  cocoon_worker_payout: paid,
  cocoon_client_top_up: paid,
  cocoon_grant_refund: paid,
  cocoon_client_withdraw: { withdraw_amount: "destination>source" },
};

/** The amounts of an action that changed hands, in the order of its sentence; `account`: the raw address of the one that looks. */
export function movesOf(action: Action, account?: string): Move[] {
  const known: Readonly<Record<string, string>> = sides[action.type] ?? {};
  const details = action.details as Readonly<Record<string, unknown>>;
  const viewer = account?.toUpperCase();
  const isViewer = (member = "") => viewer !== undefined && details[member] === viewer;
  return sentenceOf(action, englishActions).flatMap((amount): Move[] => {
    if (typeof amount === "string" || amount.kind !== "amount") return [];
    const found = Object.hasOwn(known, amount.role ?? "") ? known[amount.role ?? ""] : undefined;
    if (found === undefined) return [];
    const [from, to] = found.split(">");
    const [gave, took] = [isViewer(from), isViewer(to)];
    return [{ amount, way: gave === took ? undefined : gave ? "out" : "in" }];
  });
}
