import type { AbiBody } from "../schema/v3/abi.js";
import type { ActionDetails, ActionType } from "../schema/v3/actions.js";
import { claimedText } from "../values/claimed-text.js";
import { asClause, explainExitCode } from "../values/exit-codes/explain.js";
import { exchangeName } from "./exchange-names.js";
import { account, asset, jetton, named, type Part, ton } from "./phrase.js";
import { type Exit, type Members, rawAddress } from "./template.js";

// Members that templates use and that details do not have as such.

type Amounts = {
  readonly asset_1: string | null;
  readonly asset_2: string | null;
  readonly amount_1: string | null;
  readonly amount_2: string | null;
};
type Pooled = Amounts & { readonly dex: string | null };
type Packet = ActionDetails["layerzero_send"]["layerzero_packet_data"];
type Currencies = Readonly<Record<string, string>> | null | undefined;

/** The known non-zero amounts of a pair; a deposit may be of one asset only. */
function pooled({ asset_1, asset_2, amount_1, amount_2, dex }: Pooled): Members {
  const sides = [
    [amount_1, asset_1, "amount_1"],
    [amount_2, asset_2, "amount_2"],
  ] as const;
  const amounts = sides
    .filter(([amount]) => amount !== null && amount !== "0")
    .map(([amount, master, role]) => asset(amount, master, role));
  return { amounts, exchange: exchangeName(dex) };
}

/** The coin, and extra currencies, which have no names but numbers. */
function valuesOf(value: string | null | undefined, currencies: Currencies): Part[] {
  const others = Object.entries(currencies ?? {}).map(([id, units]) =>
    named(units, `currency ${id}`, "value"),
  );
  return [ton(value, "value"), ...others];
}

/** An encrypted comment is not text. */
function commented(comment: string | null | undefined, encrypted: boolean | null | undefined): Members {
  return { comment: encrypted ? undefined : comment, encrypted };
}

function transferred(details: {
  readonly value?: string | null | undefined;
  readonly value_extra_currencies?: Currencies;
  readonly extra_currencies?: Currencies;
  readonly comment?: string | null | undefined;
  readonly encrypted?: boolean | null | undefined;
}): Members {
  return {
    values: valuesOf(details.value, details.value_extra_currencies ?? details.extra_currencies),
    ...commented(details.comment, details.encrypted),
  };
}

const packetOf = (details: { readonly layerzero_packet_data: Packet }): Members =>
  details.layerzero_packet_data;

/** Chooses between singular and plural of an amount in smallest units. */
const countOf = (amount: string | null): Members => ({ units: amount === "1" ? 1 : 2 });

/** Fallback actions do not state the master. */
function bitcoinOf({ amount, asset: master }: { amount: string | null; asset: string | null }): Members {
  const bitcoin = master ? jetton(amount, master, "amount") : named(amount, "tgBTC", "amount");
  return { bitcoin, ...countOf(amount) };
}

const startOfKey = (key: string | null): Members => ({ key: key?.slice(0, 16) });
const keyOf = ({ pubkey }: { readonly pubkey: string | null }): Members => startOfKey(pubkey);

/** A code other than zero, with its meaning where the contract is known. */
function refused(code: number | null, contract?: string): Members {
  if (!code) return { exit: undefined };
  const meaning = contract === undefined ? undefined : explainExitCode({ code, contract });
  const exit: Exit = { exit: code, meaning: meaning && asClause(meaning) };
  return { exit };
}

const unstaked = ({ exit_code }: { readonly exit_code: number | null }) => refused(exit_code);

const secondsPerDay = 86_400;

type MembersOf = { readonly [Type in ActionType]?: (details: ActionDetails[Type]) => Members };

const membersByType: MembersOf = {
  call_contract: ({ value, extra_currencies: currencies }) => ({
    values: value === undefined ? [] : valuesOf(value, currencies),
  }),
  ton_transfer: transferred,
  extra_currency_transfer: transferred,
  jetton_transfer: ({ comment, is_encrypted_comment }) => commented(comment, is_encrypted_comment),
  jetton_mint: ({ amount }) => countOf(amount),
  jetton_swap: ({
    dex,
    dex_incoming_transfer: given,
    dex_outgoing_transfer: taken,
    peer_swaps,
    asset_out,
  }) => ({
    exchange: exchangeName(dex),
    amount_in: given.amount,
    asset_in: given.asset,
    amount_out: taken.amount,
    asset_out: taken.asset ?? asset_out,
    pools: peer_swaps.length > 1 && peer_swaps.length,
  }),
  nft_transfer: ({ comment, is_encrypted_comment, ...details }) => ({
    ...commented(comment, is_encrypted_comment),
    seller: details.real_old_owner ?? details.old_owner,
  }),
  nft_purchase: ({ real_old_owner, old_owner }) => ({ seller: real_old_owner ?? old_owner }),
  auction_bid: ({ nft_item, auction }) => ({ lot: nft_item ?? auction }),
  change_dns: ({ value }) => ({
    record: value.sum_type && { word: value.sum_type },
    target: value.dns_smc_address ?? value.dns_next_resolver_address,
    text: value.dns_adnl_address ?? value.dns_text ?? value.dns_storage_address,
  }),
  dex_deposit_liquidity: pooled,
  dex_withdraw_liquidity: pooled,
  dedust_v2_claim_fees: pooled,
  dedust_v2_claim_reward: ({ dex }) => ({ exchange: exchangeName(dex) }),
  coffee_create_vault: ({ asset: master }) => ({
    token: master ? account(master, "asset") : { kind: "coin" },
  }),
  // Only Ethena accepts stakes of a jetton; details of a withdrawal do not name it.
  stake_deposit: ({ provider, amount, source_asset }) => ({
    staked: provider === "ethena" ? jetton(amount, source_asset, "amount") : ton(amount, "amount"),
  }),
  stake_withdrawal: ({ provider, amount }) => ({
    staked: provider === "ethena" ? jetton(amount, null, "amount") : ton(amount, "amount"),
  }),
  stake_withdrawal_request: ({ tokens_burnt, tokens_minted }) => ({ tokens: tokens_burnt ?? tokens_minted }),
  multisig_approve: ({ exit_code }) => refused(exit_code, "multisig_order_v2"),
  change_wallet_key: ({ new_public_key }) => startOfKey(new_public_key),
  // The master of a supplied asset is null for TON.
  evaa_supply: ({ amount, asset: master, is_ton }) => ({
    supplied: is_ton ? ton(amount, "amount") : jetton(amount, master, "amount"),
  }),
  evaa_liquidate: ({ amount, collateral }) => ({
    seized: collateral && jetton(amount, collateral, "amount"),
  }),
  jvault_stake: ({ period }) => ({ days: period ? Math.ceil(period / secondsPerDay) : undefined }),
  jvault_unstake: unstaked,
  jvault_unstake_request: unstaked,
  jvault_claim: ({ claimed_rewards }) => ({
    rewards: claimed_rewards.map(({ amount, jetton: master }) => jetton(amount, master, "reward")),
  }),
  tgbtc_mint: bitcoinOf,
  tgbtc_mint_fallback: bitcoinOf,
  tgbtc_burn: bitcoinOf,
  tgbtc_burn_fallback: bitcoinOf,
  tgbtc_new_key: keyOf,
  tgbtc_new_key_fallback: keyOf,
  tgbtc_dkg_log_fallback: keyOf,
  layerzero_send: packetOf,
  layerzero_send_tokens: packetOf,
  layerzero_receive: packetOf,
  layerzero_commit_packet: packetOf,
  cocoon_worker_payout: ({ payout_type }) => ({ is_last: payout_type === "last" }),
};

/** The members of a type's template: those of the details, and those made of them. */
export function membersOf(type: ActionType, details: object): Members {
  const own = membersByType[type] as ((details: object) => Members) | undefined;
  return { ...details, ...own?.(details) };
}

/** How bags of cells begin, which no reader understands. */
const bagOfCells = "te6cc";

/** The name and the first fields of a message by an ABI. Texts in them may be a user's. */
export function membersOfCall({ message, fields }: AbiBody): Members {
  const partOf = (value: unknown, name: string): string | Part | undefined => {
    if (typeof value === "boolean") return String(value);
    if (typeof value !== "string" || value.startsWith(bagOfCells)) return undefined;
    if (rawAddress.test(value)) return account(value, name);
    return /^-?\d+$/.test(value) ? claimedText(value) : { kind: "quote", text: value };
  };
  const named = Object.entries(fields).flatMap(([field, value]) => {
    const name = claimedText(field);
    const shown = partOf(value, name);
    return shown === undefined ? [] : [{ phrase: [`${name} `, shown] }];
  });
  return { message, fields: named };
}
