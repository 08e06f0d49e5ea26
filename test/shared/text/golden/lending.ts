import { ownCode } from "./failures.js";
import type { Goldens } from "./golden.js";
import { acorn, ann, ben, falseTon, formula, pool } from "./people.js";

export const lending: Goldens<
  | "evaa_supply"
  | "evaa_withdraw"
  | "evaa_liquidate"
  | "jvault_stake"
  | "jvault_unstake"
  | "jvault_unstake_request"
  | "jvault_claim"
> = {
  evaa_supply: {
    details: {
      sender_jetton_wallet: null,
      recipient_jetton_wallet: "0:1C9E32F7FC0F998AB7505D2318BFF751A91AF364B4A1563B0F1754321989BFB7",
      master_jetton_wallet: "0:910B4B5E961BF54044AF4F1DB89CDA94581EF6CC2CAC5D0D01C7DEE5573B9C43",
      master: "0:BCAD466A47FA565750729565253CD073CA24D856804499090C2100D95C809F9E",
      asset_id: "0x3313e2f57ba870af34480350c789b0987d15b43a53172bfce294de21e7d724e7",
      is_ton: false,
      source: ann,
      source_wallet: "0:1C9E32F7FC0F998AB7505D2318BFF751A91AF364B4A1563B0F1754321989BFB7",
      recipient: ben,
      recipient_contract: "0:86263B94D12D8114FAE733659C51B714A81B90FBE335659021B92C41E6B44534",
      asset: falseTon,
      amount: "47133134852",
    },
    text: "<img src=x onerror=alert(1)> supplied 47.133134852 ＴＯＮ (EQDu7u…7mKn) to EVAA",
    icon: "lending",
    title: "Supplied to EVAA",
    values: [
      ["amount", "47133134852", falseTon, "ＴＯＮ (EQDu7u…7mKn)", 9, "47.133134852 ＴＯＮ (EQDu7u…7mKn)"],
    ],
    accounts: [["source", ann, "<img src=x onerror=alert(1)>"]],
    failed: {
      failure: null,
      text: "Failed: <img src=x onerror=alert(1)> supplied 47.133134852 ＴＯＮ (EQDu7u…7mKn) to EVAA",
    },
  },
  evaa_withdraw: {
    details: {
      recipient_jetton_wallet: null,
      master_jetton_wallet: null,
      master: "0:BCAD466A47FA565750729565253CD073CA24D856804499090C2100D95C809F9E",
      fail_reason: null,
      asset_id: "0xca9006bd3fb03d355daeeff93b24be90afaa6e3ca0073ff5720f8a852c933278",
      source: ann,
      recipient: ben,
      owner_contract: "0:310330DD0E813C6FA4E400610EEEC96F48A5B537230AA546C2382D452F8EA332",
      asset: null,
      amount: "3736185000",
    },
    text: "<img src=x onerror=alert(1)> withdrew 3.736185 TON from EVAA",
    icon: "lending",
    title: "Withdrawn from EVAA",
    values: [["amount", "3736185000", null, "TON", 9, "3.736185 TON"]],
    accounts: [["source", ann, "<img src=x onerror=alert(1)>"]],
    failed: {
      details: { fail_reason: "withdraw_no_funds_excess" },
      failure: null,
      text: "Failed: <img src=x onerror=alert(1)> withdrew 3.736185 TON from EVAA, which refused it: “withdraw_no_funds_excess”",
    },
  },
  evaa_liquidate: {
    details: {
      fail_reason: null,
      debt_amount: "40000",
      source: ann,
      borrower: ben,
      borrower_contract: "0:AF9D7F5C94154C51766656842B4CA4CA1024BF010A5D61350766AF33EC179A82",
      collateral: formula,
      asset_id: "0xabc",
      asset: null,
      amount: "30000",
      is_known_asset: true,
    },
    text: "<img src=x onerror=alert(1)> liquidated a loan of ben��.ton {amount:TON} on EVAA for 30,000 units of =HYPER(A1)",
    icon: "lending",
    title: "Liquidation on EVAA",
    values: [["amount", "30000", formula, "=HYPER(A1)", null, "30,000 units of =HYPER(A1)"]],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["borrower", ben, "ben��.ton {amount:TON}"],
    ],
    failed: {
      details: { fail_reason: "not_liquidatable", collateral: null },
      failure: null,
      text: "Failed: <img src=x onerror=alert(1)> liquidated a loan of ben��.ton {amount:TON} on EVAA, which refused it: “not_liquidatable”",
      values: [],
    },
  },
  jvault_stake: {
    details: {
      period: 2592000,
      minted_stake_jettons: null,
      stake_wallet: "0:7941C7152CDFC0029AA5FC9B138707AB7378E76840B9CC9F941079C1FFB61A52",
      source: ann,
      source_jetton_wallet: "0:2D58423AA9BF35C1F8045AAE50D336B84BCE3E8BFA0772C13B0E850478008ED6",
      asset: acorn,
      pool: pool,
      amount: "12266000000000",
    },
    text: "<img src=x onerror=alert(1)> staked 12,266,000,000 ACORN[x]{?y} in EQDMzM…zDA5 on JVault for 30 days",
    icon: "stake",
    title: "Stake deposited",
    values: [["amount", "12266000000000", acorn, "ACORN[x]{?y}", 3, "12,266,000,000 ACORN[x]{?y}"]],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["pool", pool, null],
    ],
    failed: {
      failure: ownCode,
      text: "Failed: <img src=x onerror=alert(1)> staked 12,266,000,000 ACORN[x]{?y} in EQDMzM…zDA5 on JVault for 30 days; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
    },
  },
  jvault_unstake: {
    details: {
      source: ann,
      stake_wallet: "0:AB6523CEDE8BA846048E0756BADB1EBAC7A81E386A14B59F063514D1485D8C05",
      pool: pool,
      amount: "300731712275",
      exit_code: null,
      asset: acorn,
      staking_asset: "0:6686D5CE2FEE0D29705BB4ACD9CF64D165A520E5EAF39D8CAA13D23FA5D15D90",
    },
    text: "<img src=x onerror=alert(1)> withdrew 300,731,712.275 ACORN[x]{?y} from EQDMzM…zDA5 on JVault",
    icon: "stake",
    title: "Stake withdrawn",
    values: [["amount", "300731712275", acorn, "ACORN[x]{?y}", 3, "300,731,712.275 ACORN[x]{?y}"]],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["pool", pool, null],
    ],
    failed: null,
  },
  jvault_unstake_request: {
    details: {
      source: ann,
      stake_wallet: "0:23B8924F27E6B97F3B58638C20567DD0DAEF9280A51474E51DA5C163F2978ED8",
      pool: pool,
      amount: "258429093190",
      exit_code: null,
      asset: acorn,
      staking_asset: "0:B902CB5F4E7CBFBA9027079E6C82D63B0FC6A81E1E0FF8E4AB61A91FDA66274B",
    },
    text: "<img src=x onerror=alert(1)> asked EQDMzM…zDA5 on JVault to return 258,429,093.19 ACORN[x]{?y}",
    icon: "stake",
    title: "Stake requested back",
    values: [["amount", "258429093190", acorn, "ACORN[x]{?y}", 3, "258,429,093.19 ACORN[x]{?y}"]],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["pool", pool, null],
    ],
    failed: {
      details: { exit_code: 46 },
      failure: null,
      text: "Failed: <img src=x onerror=alert(1)> asked EQDMzM…zDA5 on JVault to return 258,429,093.19 ACORN[x]{?y}, which refused it with exit code 46",
    },
  },
  jvault_claim: {
    details: {
      claimed_rewards: [
        { jetton: acorn, amount: "7919563" },
        { jetton: falseTon, amount: "1" },
        { jetton: formula, amount: "2" },
        { jetton: pool, amount: "3" },
      ],
      source: ann,
      stake_wallet: "0:32F3F3C9881BF73850082C9F5F4D5B654F4062E71EDD93D868BC59447F9AA2AA",
      pool: pool,
    },
    text: "<img src=x onerror=alert(1)> claimed 7,919.563 ACORN[x]{?y}, 0.000000001 ＴＯＮ (EQDu7u…7mKn), 2 units of =HYPER(A1) and 1 more from EQDMzM…zDA5 on JVault",
    icon: "stake",
    title: "Rewards claimed",
    values: [
      ["reward", "7919563", acorn, "ACORN[x]{?y}", 3, "7,919.563 ACORN[x]{?y}"],
      ["reward", "1", falseTon, "ＴＯＮ (EQDu7u…7mKn)", 9, "0.000000001 ＴＯＮ (EQDu7u…7mKn)"],
      ["reward", "2", formula, "=HYPER(A1)", null, "2 units of =HYPER(A1)"],
    ],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["pool", pool, null],
    ],
    failed: null,
  },
};
