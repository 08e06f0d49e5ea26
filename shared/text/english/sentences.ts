import type { ActionType } from "../../schema/v3/actions.js";

/**
 * A sentence for each type of action, as a template (`template.ts` has the notation). Names are those of the action's
 * details, and those that `members.ts` adds to them. They begin with a small letter: a sentence may follow "Failed:".
 */
export const sentences = {
  call_contract:
    "{source|an external message} called {destination|a contract}[ with opcode {opcode}][, sending {values}]",
  contract_deploy: "{source|an external message} deployed {destination|a contract}[ with {value:TON}]",
  ton_transfer:
    '{source} sent {values} to {destination}[, saying {"comment"}][, with an encrypted comment{?encrypted}]',
  extra_currency_transfer:
    '{source} sent {values} to {destination}[, saying {"comment"}][, with an encrypted comment{?encrypted}]',
  tick_tock: "the network ran {account|a system contract}, as it does in every block",
  unknown: "transactions that follow no known pattern",

  jetton_transfer:
    '{sender} sent {amount:asset} to {receiver}[, saying {"comment"}][, with an encrypted comment{?encrypted}]',
  jetton_burn: "{owner} burned {amount:asset}",
  jetton_mint: "{amount:asset} {units#was#were} minted for {receiver}",
  jetton_swap:
    "{sender} swapped {amount_in:asset_in/TON} for {amount_out:asset_out/TON} on {exchange|an exchange}[, through {pools} pools][, asking for at least {min_out_amount:asset_out/TON}]",

  nft_mint: "{owner} minted {nft_item|an NFT}[ of {nft_collection}]",
  nft_transfer:
    '{old_owner} gave {nft_item|an NFT} to {new_owner}[, saying {"comment"}][, with an encrypted comment{?encrypted}]',
  nft_purchase: "{new_owner} bought {nft_item|an NFT}[ from {seller}][ for {price:TON}][ on {marketplace}]",
  nft_discovery: "{source} asked {nft_item|an NFT} for its data",
  auction_bid: "{bidder} bid {amount:TON} for {lot|an NFT}",
  auction_outbid:
    "{new_bidder|another bidder} outbid {bidder} in the auction of {nft_item|an NFT}[ on {marketplace}]; the earlier bid of {amount:TON} was returned",
  nft_put_on_sale: "{owner} put {nft_item|an NFT} up for sale[ for {full_price:TON}][ on {marketplace}]",
  nft_put_on_auction: "{owner} put {nft_item|an NFT} up for auction[ on {marketplace}][, from {min_bid:TON}]",
  teleitem_start_auction:
    "{owner} put {nft_item|an NFT} up for auction[ on {marketplace}][, from {min_bid:TON}]",
  nft_cancel_sale: "{owner} took {nft_item|an NFT} off sale[ on {marketplace}]",
  nft_cancel_auction: "{owner} cancelled the auction of {nft_item|an NFT}[ on {marketplace}]",
  teleitem_cancel_auction: "{owner} cancelled the auction of {nft_item|an NFT}[ on {marketplace}]",
  nft_finish_auction: "the auction of {nft_item|an NFT} by {owner} ended[ on {marketplace}]",
  nft_update_sale:
    "{source} changed the price of {nft_address|an NFT}[ to {full_price:TON}][ on {marketplace}]",

  change_dns: '{source} set {record|a record} of {asset|a domain}[ to {target}][ to {"text"}]',
  delete_dns: "{source} deleted a record of {asset|a domain}",
  renew_dns: "{source} renewed {asset|a domain}",
  dns_purchase: "{new_owner} bought {nft_item|a domain}[ for {price:TON}]",
  dns_release:
    "{source} put {nft_item|a domain} up for auction again, as it had expired[, with a first bid of {value:TON}]",

  dex_deposit_liquidity: "{source} added {amounts|liquidity} to {pool|a pool} on {exchange|an exchange}",
  dex_withdraw_liquidity:
    "{source} withdrew {amounts|liquidity} from {pool|a pool} on {exchange|an exchange}",
  tonco_deploy_pool:
    "{source} created {pool|a pool} on TONCO for {jetton_minter_1|a jetton} and {jetton_minter_2|a jetton}",
  dedust_v2_claim_fees:
    "{source} claimed fees of {amounts|liquidity} from {pool|a pool} on {exchange|an exchange}",
  dedust_v2_claim_reward:
    "{source} claimed a reward of {amount:asset/TON} from {pool|a pool} on {exchange|an exchange}",
  // As in TON Center, the details name only the asset that this account provided, not the pool's pair.
  coffee_create_pool: "{source} created {pool|a pool} on swap.coffee, providing {amount:provided_asset/TON}",
  coffee_create_pool_creator: "{source} provided {amount:provided_asset/TON} for a new pool on swap.coffee",
  coffee_create_vault: "{source} created {vault|a vault} on swap.coffee for {token}[, sending {value:TON}]",
  coffee_mev_protect_hold_funds:
    "{source} gave {amount:asset/TON} to swap.coffee to hold for a protected swap",
  coffee_mev_protect_failed_swap: "a protected swap on swap.coffee failed, and its funds were returned",
  coffee_staking_deposit: "{source} staked {amount:asset/TON} on swap.coffee",
  coffee_staking_withdraw: "{source} withdrew a stake of {amount:asset/TON} from swap.coffee",
  coffee_staking_claim_rewards: "{recipient} claimed a reward of {amount:asset/TON} on swap.coffee",

  stake_deposit: "{stake_holder} staked {staked} in {pool|a pool}[ in exchange for {tokens_minted:asset}]",
  stake_withdrawal:
    "{stake_holder} withdrew a stake of {staked} from {pool|a pool}[ in exchange for {tokens_burnt:asset}]",
  stake_withdrawal_request:
    "{stake_holder} asked {pool|a pool} for a stake back[ in exchange for {tokens:asset}]",
  election_deposit: "{stake_holder} staked {amount:TON} in the validator elections",
  election_recover: "{stake_holder} recovered {amount:TON} from the validator elections",

  subscribe: "{subscriber} subscribed to {beneficiary|a service} for {amount:TON}",
  unsubscribe: "{subscriber} ended its subscription to {beneficiary|a service}",
  multisig_create_order:
    "{source} created an order of {destination|a multisig}[ with number {order_seqno}][ at {destination_order}][ and approved it{?is_signed_by_creator}]",
  multisig_approve: "{source} approved {destination|an order}[, which refused it with {exit}]",
  multisig_execute:
    "{destination|a multisig} executed {source|an order}[ with {approvals_num} {approvals_num#approval#approvals}]",
  vesting_send_message: "{source} sent {amount:TON} to {destination} from {vesting|a vesting contract}",
  vesting_add_whitelist:
    "{source} allowed {vesting|a vesting contract} to pay {accounts_added|more accounts}",
  gasless_request:
    "{source} delivered a signed request to {destination|a wallet}[, paying {value:TON} for it]",
  change_wallet_key:
    "{destination|a wallet} took a new key[, {key}…][, in a request that {source} delivered]",

  evaa_supply: "{source} supplied {supplied} to EVAA",
  evaa_withdraw: '{source} withdrew {amount:asset/TON} from EVAA[, which refused it: {"fail_reason"}]',
  evaa_liquidate:
    '{source} liquidated a loan of {borrower} on EVAA[ for {seized}][, which refused it: {"fail_reason"}]',
  jvault_stake: "{source} staked {amount:asset} in {pool|a pool} on JVault[ for {days} {days#day#days}]",
  jvault_unstake:
    "{source} withdrew {amount:asset} from {pool|a pool} on JVault[, which refused it with {exit}]",
  jvault_unstake_request:
    "{source} asked {pool|a pool} on JVault to return {amount:asset}[, which refused it with {exit}]",
  jvault_claim: "{source} claimed {rewards|its rewards} from {pool|a pool} on JVault",

  tgbtc_mint: "{bitcoin} {units#was#were} minted for {destination}[ for Bitcoin transaction {bitcoin_tx_id}]",
  tgbtc_mint_fallback:
    "{bitcoin} {units#was#were} minted for {destination}[ for Bitcoin transaction {bitcoin_tx_id}]",
  tgbtc_burn: "{source} burned {bitcoin} for a payment on Bitcoin",
  tgbtc_burn_fallback: "{source} burned {bitcoin} for a payment on Bitcoin",
  tgbtc_new_key: "{source|signers of tgBTC} sent {coordinator|the coordinator} a new key[, {key}…]",
  tgbtc_new_key_fallback: "{source|signers of tgBTC} sent {coordinator|the coordinator} a new key[, {key}…]",
  tgbtc_dkg_log_fallback:
    "{coordinator|the coordinator of tgBTC} announced a key that its signers made[, {key}…]",

  layerzero_send: "{initiator} sent a packet[ with number {nonce}][ to endpoint {dst_eid}] over LayerZero",
  layerzero_send_tokens: "{sender} sent {amount:asset}[ to endpoint {dst_eid}] over LayerZero",
  layerzero_receive:
    "{oapp|an application} received a packet[ with number {nonce}][ from endpoint {src_eid}] over LayerZero",
  layerzero_commit_packet:
    "{sender} committed a packet[ with number {nonce}][ from endpoint {src_eid}] to LayerZero",
  layerzero_dvn_verify:
    '{initiator} verified a packet[ with number {nonce}] by {dvn|a verifier network} of LayerZero[, with the status {"status"}]',

  cocoon_worker_payout:
    "{destination|the owner of a worker} was paid {amount:TON} for work on Cocoon[, for the last time{?is_last}]",
  cocoon_proxy_payout: "{source|a proxy} of Cocoon paid its earnings to {destination|its owner}",
  cocoon_proxy_charge: "{destination|a proxy} charged {source|a client} on Cocoon",
  cocoon_client_top_up: "{source} topped up {destination|a client} on Cocoon with {amount:TON}",
  cocoon_register_proxy: "a proxy registered with {destination|the root contract} of Cocoon",
  cocoon_unregister_proxy:
    "a proxy[ with number {seqno}] was removed from {destination|the root contract} of Cocoon",
  cocoon_client_register: "{source} registered {destination|a client} on Cocoon",
  cocoon_client_change_secret_hash: "{source} changed the secret of {destination|a client} on Cocoon",
  cocoon_client_request_refund: "{source} asked {destination|a client} on Cocoon for a refund",
  cocoon_grant_refund: "{source|a client} of Cocoon refunded {amount:TON} to {destination|its owner}",
  cocoon_client_increase_stake:
    "{source} raised the stake of {destination|a client} on Cocoon to {new_stake:TON}",
  cocoon_client_withdraw: "{source} withdrew {withdraw_amount:TON} from {destination|a client} on Cocoon",
} satisfies Readonly<Record<ActionType, string>>;
