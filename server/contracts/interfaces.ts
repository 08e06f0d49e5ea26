import { methodId } from "../../shared/ton/tvm/method-id.js";

/**
 * Names of the interfaces that a code implements, sorted. A known code hash (base64) has exactly one; other code has
 * every interface whose get-methods (by id) it has. Wallets of unknown code therefore have several.
 */
export function interfacesOf(codeHash: string | null, methods: readonly number[] | null): string[] {
  const known = codeHash === null ? undefined : byCodeHash.get(codeHash);
  if (known !== undefined) return [known];
  if (!methods || methods.length === 0) return [];
  const present = new Set(methods);
  return byMethods.filter(({ ids }) => ids.every((id) => present.has(id))).map(({ name }) => name);
}

/** Lines of a name and a code hash. */
const codeHashes = `
wallet_v1r1 oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how=
wallet_v1r2 1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw=
wallet_v1r3 WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8=
wallet_v2r1 XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk=
wallet_v2r2 /pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E=
wallet_v3r1 thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=
wallet_v3r2 hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=
wallet_v4r1 ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=
wallet_v4r2 /rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=
wallet_v5_beta 89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=
wallet_v5r1 IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=
wallet_v5_beta 5M87L0xtamHqDytUR9JmeFsmrzY32y3u5rzRqoJvNBI=
highload_v1r1 2M27t58sXKpnesRQdwvgNRviHhJQSG3oXMUqoz3RZIQ=
highload_v1r2 Dc7tISadZgE+lbGfu1xVpvAa2tQIN7qo5SHN46AqpGw=
highload_v2 lJTRzI7fEvBWcaGpugmSEJbrUIEeGSTsZcPGKfu4CBI=
highload_v2r1 jOtFs81LXMYOquHBO5wJI5Jnf+U2sumy2AG2Lv+TH+E=
highload_v2r2 ID3U81ittJmTEpqpJcrDmRa2ig5PeNJujywraer6Vnk=
highload_v3r1 EayteVWEQJDyg78ji8FEmHH3g+fMCXlAjT9IWUg+hSU=
tg_wallet kUmuUcHkaJcQzr94MCl7Fqz7rbNjqSClN4k+f/7sp2g=
wallet_preprocessed_v2 Reu86bXSNYhstr/hw62TtwjeBYJEiSNlye4N/kOct7U=
wallet_vesting tItTGr7DtxRjgpH3137W3J9qJynvyiBHcTc3TUrotZA=
multisig_v2 09FNqaYn8Ow1MzQYKXYq+SuVQLIb8DZl+sCcK0bqu6w=
multisig_order_v2 oB4Ff71CiEArmJjXjWe9TpAlTJPFhmh5vC0dEoZUNrw=
jetton_wallet_v1 vrBoPr64kn/p/I7AoYvH3ReJlomCWhIeq0bFo6hg0M4=
jetton_wallet_v2 jSjqQht36AX+pSrPM1KWSZ8Drsjp/SHdtfJWSqZcSN4=
jetton_wallet_governed iUaPAseOVwgC45l5yFFvw43wfqdqSDV+BTbyuns+43s=
nft_item_simple TJEjgoaC+m9DeXq0FzK8qJDK4Bdm4GdBACUFFuC/jUI=
nft_sale_getgems_v2 gnj0xSM95vvtyWmvUZNEp6m//FRIVtuphqlcC8+Fcck=
nft_sale_getgems_v3 JCIfpXHlQuBVx3vt/b9SfHr0YM/cfzRMRQeHtM+h600=
nft_sale_getgems_v3 3rU7bFdlwebNI4v0e8XoO6WWvcwEsLhM1Qqx5HSgjzE=
nft_sale_getgems_v3 MgUN+sRPZIZrzIbyzZ4TBf6dyts5WcACI3z7CQLUQyM=
nft_sale_getgems_v4 a5WmQYucnSNZBF0edVm41UmuDlBvJMqrWPowyPsf64Y=
nft_auction_getgems_v3 G9nFo5v/t6DzQViLXdkrgTqEK/Ze8UEJOCIAzq+Pct8=
nft_auction_getgems_v3 ZmiHL6eXBUQ//UdSPo6eqfdquZ+aC1nSfej4GhwnudQ=
nft_auction_getgems_v4 zlp4U06qps7tja/UhtB262CpsNbb+1Nnb2YmScBomVY=
nft_offer_getgems_v1 bl1mf6bvqBh8bQKe/UAVYBIy/S42wpHbw0be2rbcgCQ=
subscription_v2 XUG7cGLs/yqv7/IFppEtfFyyIwjbHRLCCH3IzAORwy4=
tonco_pool vJR9FjRsL9yEW3pEY4L1nIassHXiox2/qVbNDJ5UZ44=
tonco_router m5iR6qfbe+zGzN2hvZqNJdw98oF9V+SyfsAD2vgaRDk=
coffee_mev_protector WPvC26JoTTi4C/zj3Fqf/OAK+bRkx7TcIc9X46rhHxw=
coffee_cross_dex /qnGoe9eqyxcqU1r7x4zmUxXhqvrUmR2DhUNozv7Nnc=
jetton_wallet_coffee_lp 18OPqZSoKCZXIJ+T68Xf6Qil8G0uQfDAhekXvE9UorM=
gram_miner zK5v+2A8fT53mrWewmf/wi3B6+CvmDmQIomnqD5MAPE=
tonkeeper_2fa xe8Z3yKu6LcHvXoYEXTkAKQiUiPFrkDYMg9d3XB9NKE=
airdrop_interlocker_v1 rNK47E23QUOW+lNphlPswEpBbuNknY9bILQfF2rYM/A=
airdrop_interlocker_v2 D/RKlvwkgRESNtjZkg/W4pthCCFePsW6dh6tlgKtraQ=
omniston_referral 7cxi8XUil/vaJAjAnKQgs6+VKBAuM7ngoOvjhVPBj+w=
omniston_referral bNo1HDwO42iHOl6hD1O5pHpVqs3I3rP9EDwvloyVJSc=
`;

/** Lines of a name and its required get-methods. TON Center has one name with a trailing blank, written here as `_`. */
const methodSets = `
jetton_master get_jetton_data get_wallet_address
jetton_wallet get_wallet_data
nft_collection get_nft_content get_collection_data get_nft_address_by_index
nft_item get_nft_data
sbt get_authority_address
editable get_editor
nft_sale get_sale_data
nft_auction_v1 get_sale_data
nft_sale_getgems_v4 get_fix_price_data_v4
nft_auction_getgems_v4 get_auction_data_v4
dns dnsresolve
teleitem get_telemint_auction_state get_telemint_auction_config get_telemint_token_name
multisig_v2 get_multisig_data get_order_address
multisig_order_v2 get_order_data
wallet_vesting seqno get_public_key get_vesting_data
wallet_v1r2 seqno
wallet_v2r1 seqno
wallet_v3r1 seqno
wallet_v5_beta seqno
wallet_v1r3 seqno get_public_key
wallet_v2r2 seqno get_public_key
wallet_v3r2 seqno get_public_key
wallet_v4r1 get_plugin_list is_plugin_installed get_public_key seqno get_subwallet_id
wallet_v4r2 get_plugin_list is_plugin_installed get_public_key seqno get_subwallet_id
wallet_v5r1 seqno get_public_key get_subwallet_id get_extensions is_signature_allowed
wallet_highload_v2 get_public_key
wallet_highload_v3r1 get_public_key get_subwallet_id get_timeout
subscription_v1 get_subscription_data
subscription_v2 get_subscription_info get_payment_info get_cron_info
tv_pool get_pool_data get_nominator_data list_nominators list_votes
whales_pool get_staking_status get_pool_status get_member get_members_raw get_params
tonstake_pool get_pool_full_data
validator_controller get_validator_controller_data
dedust_pool get_reserves get_assets get_jetton_data is_stable get_trade_fee estimate_swap_out
dedust_vault get_asset
dedust_factory get_vault_address get_pool_address get_liquidity_deposit_address
dedust_liquidity_deposit_ get_balances get_target_balances
stonfi_pool get_pool_data get_expected_outputs get_expected_tokens get_expected_liquidity get_lp_account_address
stonfi_pool_v2 get_pool_data get_pool_type get_lp_account_address get_jetton_data get_wallet_address
stonfi_router get_router_data get_pool_address
stonfi_router_v2 get_vault_address get_pool_address get_router_data get_router_version
stonfi_lp_account_v2 get_lp_account_data
stonfi_vault_v2 get_vault_data
lockup_vesting get_lockup_data
lockup_universal get_balances
payment_channel get_channel_data
locker get_locker_data get_bill_address
locker_bill get_locker_bill_data
cron get_cron_info
`;

const words = (table: string) =>
  table
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(" "));

const byCodeHash: ReadonlyMap<string, string> = new Map(
  words(codeHashes).map(([name = "", hash = ""]) => [hash, name]),
);

const byMethods = words(methodSets)
  .map(([name = "", ...methods]) => ({ name: name.replace(/_$/, " "), ids: methods.map(methodId) }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));
