import type { Goldens } from "./golden.js";
import { acorn, ann, ben, falseTon, item, pool } from "./people.js";

export const coffee: Goldens<
  | "coffee_create_pool"
  | "coffee_create_pool_creator"
  | "coffee_create_vault"
  | "coffee_mev_protect_hold_funds"
  | "coffee_mev_protect_failed_swap"
  | "coffee_staking_deposit"
  | "coffee_staking_withdraw"
  | "coffee_staking_claim_rewards"
> = {
  coffee_create_pool: {
    details: {
      source: ann,
      source_jetton_wallet: "0:4AC05EB133E70E4EF7A32ABE8ACA6050E4477F6CA4D9025474AB7DDF9AE1F52C",
      initiator_1: "0:D9E74A929EEB0489D364019C38768F935EA68132172BA59E1DDB26BAC54979E6",
      initiator_2: "0:D9E74A929EEB0489D364019C38768F935EA68132172BA59E1DDB26BAC54979E6",
      pool: pool,
      pool_creator_contract: "0:DFACB41C10F5747BCFC1724EA210EB2AA2AA50071A2BED3B08B68C615817673B",
      provided_asset: acorn,
      amount: "1000000000000000",
      asset_1: null,
      asset_2: null,
      amount_1: "1000000000000000",
      amount_2: "2005112716",
      lp_tokens_minted: "1416020025694",
    },
    text: "<img src=x onerror=alert(1)> created EQDMzM…zDA5 on swap.coffee, providing 1,000,000,000,000 ACORN[x]{?y}",
    icon: "liquidity",
    title: "Pool created",
    values: [["amount", "1000000000000000", acorn, "ACORN[x]{?y}", 3, "1,000,000,000,000 ACORN[x]{?y}"]],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["pool", pool, null],
    ],
    failed: null,
  },
  coffee_create_pool_creator: {
    details: {
      source: ann,
      source_jetton_wallet: "0:4AC05EB133E70E4EF7A32ABE8ACA6050E4477F6CA4D9025474AB7DDF9AE1F52C",
      deposit_recipient: "0:D9E74A929EEB0489D364019C38768F935EA68132172BA59E1DDB26BAC54979E6",
      pool_creator_contract: "0:DFACB41C10F5747BCFC1724EA210EB2AA2AA50071A2BED3B08B68C615817673B",
      provided_asset: acorn,
      asset_1: null,
      asset_2: falseTon,
      amount: "1000000000000000",
    },
    text: "<img src=x onerror=alert(1)> provided 1,000,000,000,000 ACORN[x]{?y} for a new pool on swap.coffee",
    icon: "liquidity",
    title: "Pool prepared",
    values: [["amount", "1000000000000000", acorn, "ACORN[x]{?y}", 3, "1,000,000,000,000 ACORN[x]{?y}"]],
    accounts: [["source", ann, "<img src=x onerror=alert(1)>"]],
    failed: null,
  },
  coffee_create_vault: {
    details: { source: ann, vault: pool, asset: falseTon, value: "50000000" },
    text: "<img src=x onerror=alert(1)> created EQDMzM…zDA5 on swap.coffee for ＴＯＮ, sending 0.05 TON",
    icon: "liquidity",
    title: "Vault created",
    values: [["value", "50000000", null, "TON", 9, "0.05 TON"]],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["vault", pool, null],
      ["asset", falseTon, "ＴＯＮ"],
    ],
    failed: null,
  },
  coffee_mev_protect_hold_funds: {
    details: {
      source: ann,
      source_jetton_wallet: null,
      mev_contract: "0:055D3E4FB377F6EC27656BC36135DF4ECC8BEC0CAC61D8D3D8CD1C7D346D482C",
      mev_contract_jetton_wallet: null,
      asset: null,
      amount: "15590000000",
    },
    text: "<img src=x onerror=alert(1)> gave 15.59 TON to swap.coffee to hold for a protected swap",
    icon: "swap",
    title: "Funds held for a swap",
    values: [["amount", "15590000000", null, "TON", 9, "15.59 TON"]],
    accounts: [["source", ann, "<img src=x onerror=alert(1)>"]],
    failed: null,
  },
  coffee_mev_protect_failed_swap: {
    details: { error: "unsupported action type: 'coffee_mev_protect_failed_swap'" },
    text: "A protected swap on swap.coffee failed, and its funds were returned",
    icon: "swap",
    title: "Protected swap failed",
    values: [],
    accounts: [],
    failed: null,
  },
  coffee_staking_deposit: {
    details: {
      source: ann,
      source_jetton_wallet: "0:4A7C130A0B1E8F00FF13B8DA7C8F02439257EC4C5EA26837A0DA4BFF2A8CF54B",
      pool: pool,
      pool_jetton_wallet: "0:7CDBA40F56DD49345735C81AB9C0359B38BB1CC6E0F386B4640202132057B935",
      asset: acorn,
      amount: "200000000000000",
      minted_item_address: "0:65D741B3B8FED84CBE2BCBF2C1A74BE0D989AE36F92F9F8B656E7D1AEC373BBB",
      minted_item_index: "1258",
    },
    text: "<img src=x onerror=alert(1)> staked 200,000,000,000 ACORN[x]{?y} on swap.coffee",
    icon: "stake",
    title: "Stake deposited",
    values: [["amount", "200000000000000", acorn, "ACORN[x]{?y}", 3, "200,000,000,000 ACORN[x]{?y}"]],
    accounts: [["source", ann, "<img src=x onerror=alert(1)>"]],
    failed: null,
  },
  coffee_staking_withdraw: {
    details: {
      source: ann,
      source_jetton_wallet: "0:2E75895D8779D7F7090517D94F092E394894ED803B5F428264FF74C140766EEE",
      pool: pool,
      pool_jetton_wallet: "0:7C7EDF2883E784E033F37731FEDE9ED600B8B9F8178EAB927B957D8980321546",
      asset: acorn,
      amount: "59457793964",
      nft_address: item,
      nft_index: "451",
      points: "5945779396400",
    },
    text: "<img src=x onerror=alert(1)> withdrew a stake of 59,457,793.964 ACORN[x]{?y} from swap.coffee",
    icon: "stake",
    title: "Stake withdrawn",
    values: [["amount", "59457793964", acorn, "ACORN[x]{?y}", 3, "59,457,793.964 ACORN[x]{?y}"]],
    accounts: [["source", ann, "<img src=x onerror=alert(1)>"]],
    failed: null,
  },
  coffee_staking_claim_rewards: {
    details: {
      pool: pool,
      pool_jetton_wallet: "0:61CC8648CB903208BBADC77305DFB8F894C08F073E0824D38441BB046373FA74",
      recipient: ben,
      recipient_jetton_wallet: "0:376B64B1CC048F04344B93B43A9B7BB509C2FD2B0294DAABFB178CAD224555B9",
      asset: acorn,
      amount: "17686745",
    },
    text: "ben��.ton {amount:TON} claimed a reward of 17,686.745 ACORN[x]{?y} on swap.coffee",
    icon: "stake",
    title: "Reward claimed",
    values: [["amount", "17686745", acorn, "ACORN[x]{?y}", 3, "17,686.745 ACORN[x]{?y}"]],
    accounts: [["recipient", ben, "ben��.ton {amount:TON}"]],
    failed: null,
  },
};
