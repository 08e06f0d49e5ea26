import { asset, dex, jetton, source } from "./common.js";
import { action } from "./declare.js";
import {
  type AddressText,
  account,
  amount,
  calculated,
  flag,
  objects,
  unsent,
  wideInteger,
} from "./member.js";

const pool = account("The pool.").in("destination");
const units1 = amount("Units of the first asset.").in(".amount1");
const units2 = amount("Units of the second asset.").in(".amount2");
const userWallets = {
  user_jetton_wallet_1: account("Jetton wallet of the user for the first asset."),
  user_jetton_wallet_2: account("Jetton wallet of the user for the second asset."),
};
const ticks = {
  tick_lower: wideInteger("Lower end of the price range.").rare(),
  tick_upper: wideInteger("Upper end of the price range.").rare(),
};
const position = {
  index: amount("Index of the position.").rare(),
  nft: account("NFT of the position.").rare(),
};

export const vaultExcess = { asset, amount: amount("Units of the asset.") };

/** Exchanges where a separate contract collects the two sides of a deposit. */
const collectsDeposits: ReadonlySet<string | undefined> = new Set(["dedust", "dedust_v2"]);

type StoredDeposit = { readonly dex?: string; readonly pool?: string; readonly collector?: string };

/** Members of withdrawals and claims, which are stored like withdrawals. */
const withdrawn = {
  amounts: { amount_1: units1, amount_2: units2 },
  assets: { asset_1: asset.in(".asset1_out"), asset_2: asset.in(".asset2_out") },
  refund: unsent<boolean>(".is_refund"),
  payers: {
    dex_wallet_1: unsent<AddressText>(".dex_wallet_1"),
    dex_wallet_2: unsent<AddressText>(".dex_wallet_2"),
  },
};
const claimed = {
  dex,
  source,
  pool,
  position: account("The position.").in("destination_secondary"),
};
const withdrawals = "dex_withdraw_liquidity_data";

export const liquidityActions = {
  dex_deposit_liquidity: action([10, "v1", "dex_deposit_liquidity_data"], {
    dex,
    amount_1: units1,
    amount_2: units2,
    asset_1: asset.in(".asset1"),
    asset_2: asset.in(".asset2"),
    ...userWallets,
    source,
    pool,
    destination_liquidity: calculated(
      account("The contract that collects the deposit; else the pool."),
      (stored: StoredDeposit) => (collectsDeposits.has(stored.dex) ? stored.collector : stored.pool),
    ),
    lp_tokens_minted: amount("Liquidity tokens that were minted."),
    target_asset_1: asset.rare(),
    target_asset_2: asset.rare(),
    target_amount_1: amount("Requested units of the first asset.").rare(),
    target_amount_2: amount("Requested units of the second asset.").rare(),
    vault_excesses: objects("Returned assets.", vaultExcess).rare(),
    ...ticks,
    nft_index: position.index,
    nft_address: position.nft,
    source_wallet: unsent<AddressText>("source_secondary").rare(),
    /** The contract that collects both assets. */
    collector: unsent<AddressText>("destination_secondary").rare(),
  }),
  dex_withdraw_liquidity: action([11, "v1", withdrawals], {
    dex,
    ...withdrawn.amounts,
    ...withdrawn.assets,
    ...userWallets,
    lp_tokens_burnt: amount("Liquidity tokens that were burned."),
    is_refund: flag("Always `null`, as in TON Center.").unknown(),
    source,
    pool,
    destination_liquidity: calculated(pool, (stored: { pool?: string }) => stored.pool),
    burnt_nft_index: position.index.in(".burned_nft_index"),
    burnt_nft_address: position.nft.in(".burned_nft_address"),
    ...ticks,
    refund: withdrawn.refund,
    ...withdrawn.payers,
    dex_jetton_wallet_1: unsent<AddressText>(".dex_jetton_wallet_1"),
    dex_jetton_wallet_2: unsent<AddressText>(".dex_jetton_wallet_2"),
    /** The burnt tokens, if they are a jetton. */
    lp_asset: unsent<AddressText>("asset").rare(),
    lp_wallet: unsent<AddressText>("source_secondary").rare(),
  }),
  tonco_deploy_pool: action([14, "v2", "tonco_deploy_pool_data"], {
    source,
    pool: pool.in("destination_secondary"),
    router: account("The router.").in("destination"),
    router_jetton_wallet_1: account("Jetton wallet of the router for the first jetton.").in(
      ".jetton0_router_wallet",
    ),
    router_jetton_wallet_2: account("Jetton wallet of the router for the second jetton.").in(
      ".jetton1_router_wallet",
    ),
    jetton_minter_1: jetton.in(".jetton0_minter"),
    jetton_minter_2: jetton.in(".jetton1_minter"),
    tick_spacing: wideInteger("Distance of prices."),
    initial_price_x96: amount("First price as a square root, times 2^96."),
    protocol_fee: wideInteger("Fee of the protocol."),
    lp_fee_base: wideInteger("Base fee for liquidity."),
    lp_fee_current: amount("Current fee for liquidity."),
    pool_active: flag("Whether the pool trades."),
  }),
  dedust_v2_claim_fees: action([12, "v5", withdrawals], {
    ...claimed,
    ...withdrawn.assets,
    ...withdrawn.amounts,
    ...userWallets,
    dex_jetton_wallet_1: account("Jetton wallet of the exchange for the first asset."),
    dex_jetton_wallet_2: account("Jetton wallet of the exchange for the second asset."),
    refund: withdrawn.refund,
    ...withdrawn.payers,
  }),
  dedust_v2_claim_reward: action([13, "v5", withdrawals], {
    ...claimed,
    asset: asset.in(".asset1_out"),
    amount: amount("Units of the asset.").in(".amount1"),
    user_jetton_wallet: account("Jetton wallet of the user.").in(".user_jetton_wallet_1"),
    dex_jetton_wallet: account("Jetton wallet of the exchange.").in(".dex_jetton_wallet_1"),
    refund: withdrawn.refund,
    dex_wallet: unsent<AddressText>(".dex_wallet_1"),
  }),
};
