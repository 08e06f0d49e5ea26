import { outOfGas } from "./failures.js";
import type { Goldens } from "./golden.js";
import { acorn, ann, falseTon, item, pool } from "./people.js";

export const liquidity: Goldens<
  | "dex_deposit_liquidity"
  | "dex_withdraw_liquidity"
  | "tonco_deploy_pool"
  | "dedust_v2_claim_fees"
  | "dedust_v2_claim_reward"
> = {
  dex_deposit_liquidity: {
    details: {
      dex: "tonco",
      amount_1: "5765664447",
      amount_2: "250000000",
      asset_1: acorn,
      asset_2: null,
      user_jetton_wallet_1: null,
      user_jetton_wallet_2: "0:2BC21F6C2C85ECCF0DFC7FC5CAEC8A124799E6BB47E37206D014322F0DE33EFA",
      source: ann,
      pool: pool,
      destination_liquidity: "0:F6E6F4AD13073E875413D6A96C60F430A94E4888E868C79208D02FF1B0336931",
      lp_tokens_minted: "1398855824493",
      target_asset_1: null,
      target_asset_2: "0:B113A994B5024A16719F69139328EB759596C38A25F59028B146FECDC3621DFE",
      target_amount_1: "2999999999829",
      target_amount_2: "5708578661",
      tick_lower: -57180,
      tick_upper: -52980,
      nft_index: "3086",
      nft_address: item,
      vault_excesses: [
        { asset: null, amount: "29999999998" },
        { asset: acorn, amount: "57085786" },
      ],
    },
    text: "<img src=x onerror=alert(1)> added 5,765,664.447 ACORN[x]{?y} and 0.25 TON to EQDMzM…zDA5 on TONCO",
    icon: "liquidity",
    title: "Liquidity added",
    values: [
      ["amount_1", "5765664447", acorn, "ACORN[x]{?y}", 3, "5,765,664.447 ACORN[x]{?y}"],
      ["amount_2", "250000000", null, "TON", 9, "0.25 TON"],
    ],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["pool", pool, null],
    ],
    failed: {
      failure: null,
      text: "Failed: <img src=x onerror=alert(1)> added 5,765,664.447 ACORN[x]{?y} and 0.25 TON to EQDMzM…zDA5 on TONCO",
    },
  },
  dex_withdraw_liquidity: {
    details: {
      dex: "tonco",
      amount_1: "2819110797",
      amount_2: "76746",
      asset_1: acorn,
      asset_2: falseTon,
      user_jetton_wallet_1: "0:5E1F9AA5B8E92BAF95C4A3CC4FB7211524E1CE2016375AC1BC0E95A28C5794B4",
      user_jetton_wallet_2: "0:CBCE651F2A2A0889C9614F6F25772E7743D9BB03FB15DCA55E44545795E5468A",
      lp_tokens_burnt: "705116822387",
      is_refund: null,
      source: ann,
      pool: pool,
      destination_liquidity: "0:5F02AD9E77943399767DC75DAB382CCCD4F5F10AFB32B1466DA5446EEA0E09C6",
      burnt_nft_index: "518",
      burnt_nft_address: "0:77A5842C26DE1980F7B7B76F3D27EB5235697FB203601E4A192360E2667CBC9F",
      tick_lower: -30,
      tick_upper: 50,
    },
    text: "<img src=x onerror=alert(1)> withdrew 2,819,110.797 ACORN[x]{?y} and 0.000076746 ＴＯＮ (EQDu7u…7mKn) from EQDMzM…zDA5 on TONCO",
    icon: "liquidity",
    title: "Liquidity withdrawn",
    values: [
      ["amount_1", "2819110797", acorn, "ACORN[x]{?y}", 3, "2,819,110.797 ACORN[x]{?y}"],
      ["amount_2", "76746", falseTon, "ＴＯＮ (EQDu7u…7mKn)", 9, "0.000076746 ＴＯＮ (EQDu7u…7mKn)"],
    ],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["pool", pool, null],
    ],
    failed: {
      failure: outOfGas,
      text: "Failed: <img src=x onerror=alert(1)> withdrew 2,819,110.797 ACORN[x]{?y} and 0.000076746 ＴＯＮ (EQDu7u…7mKn) from EQDMzM…zDA5 on TONCO; EQDMzM…zDA5 failed in the compute phase with exit code -14 (out of gas)",
    },
  },
  tonco_deploy_pool: {
    details: {
      source: ann,
      pool: pool,
      router: "0:BFFADD270A738531DA7B13BA8FC403826C2586173F9EDE9C316FAB53BC59AC86",
      router_jetton_wallet_1: "0:3E49B65A5300D3A2D2C1D8232A88B1C0F721D1734EC98C8C980AF48FA41FB124",
      router_jetton_wallet_2: "0:871DA9215B14902166F0EA2A16DB56278D528108377F8158C5F4CCFDFDD22E17",
      jetton_minter_1: acorn,
      jetton_minter_2: falseTon,
      tick_spacing: 60,
      initial_price_x96: "2159938633973433351177391787024",
      protocol_fee: 33268,
      lp_fee_base: 15,
      lp_fee_current: "15",
      pool_active: true,
    },
    text: "<img src=x onerror=alert(1)> created EQDMzM…zDA5 on TONCO for ACORN[x]{?y} and ＴＯＮ",
    icon: "liquidity",
    title: "Pool created",
    values: [],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["pool", pool, null],
      ["jetton_minter_1", acorn, "ACORN[x]{?y}"],
      ["jetton_minter_2", falseTon, "ＴＯＮ"],
    ],
    failed: null,
  },
  dedust_v2_claim_fees: {
    details: {
      dex: "dedust_v2",
      source: ann,
      pool: pool,
      position: "0:5A452459503BE70D2ED2FCA46DD91E05E820A957F175686A77D03FFF80F664FE",
      amount_1: "2000000000",
      amount_2: "5000000000",
      asset_1: null,
      asset_2: null,
      user_jetton_wallet_1: null,
      user_jetton_wallet_2: null,
      dex_jetton_wallet_1: null,
      dex_jetton_wallet_2: null,
    },
    text: "<img src=x onerror=alert(1)> claimed fees of 2 TON and 5 TON from EQDMzM…zDA5 on DeDust v2",
    icon: "liquidity",
    title: "Fees claimed",
    values: [
      ["amount_1", "2000000000", null, "TON", 9, "2 TON"],
      ["amount_2", "5000000000", null, "TON", 9, "5 TON"],
    ],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["pool", pool, null],
    ],
    failed: null,
  },
  dedust_v2_claim_reward: {
    details: {
      dex: "dedust_v2",
      source: ann,
      pool: pool,
      position: "0:5A452459503BE70D2ED2FCA46DD91E05E820A957F175686A77D03FFF80F664FE",
      asset: null,
      amount: "5000",
      user_jetton_wallet: null,
      dex_jetton_wallet: null,
    },
    text: "<img src=x onerror=alert(1)> claimed a reward of 0.000005 TON from EQDMzM…zDA5 on DeDust v2",
    icon: "liquidity",
    title: "Reward claimed",
    values: [["amount", "5000", null, "TON", 9, "0.000005 TON"]],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["pool", pool, null],
    ],
    failed: null,
  },
};
