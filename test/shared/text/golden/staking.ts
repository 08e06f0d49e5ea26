import { noCode, ownCode } from "./failures.js";
import type { Goldens } from "./golden.js";
import { acorn, ann, ben, falseTon, pool } from "./people.js";

export const staking: Goldens<
  "stake_deposit" | "stake_withdrawal" | "stake_withdrawal_request" | "election_deposit" | "election_recover"
> = {
  stake_deposit: {
    details: {
      provider: "ethena",
      stake_holder: ann,
      pool: pool,
      asset: acorn,
      amount: "2500300127",
      tokens_minted: "1994155249",
      source_asset: falseTon,
    },
    text: "<img src=x onerror=alert(1)> staked 2.500300127 ＴＯＮ (EQDu7u…7mKn) in EQDMzM…zDA5 in exchange for 1,994,155.249 ACORN[x]{?y}",
    icon: "stake",
    title: "Stake deposited",
    values: [
      ["amount", "2500300127", falseTon, "ＴＯＮ (EQDu7u…7mKn)", 9, "2.500300127 ＴＯＮ (EQDu7u…7mKn)"],
      ["tokens_minted", "1994155249", acorn, "ACORN[x]{?y}", 3, "1,994,155.249 ACORN[x]{?y}"],
    ],
    accounts: [
      ["stake_holder", ann, "<img src=x onerror=alert(1)>"],
      ["pool", pool, null],
    ],
    failed: {
      failure: ownCode,
      text: "Failed: <img src=x onerror=alert(1)> staked 2.500300127 ＴＯＮ (EQDu7u…7mKn) in EQDMzM…zDA5 in exchange for 1,994,155.249 ACORN[x]{?y}; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
    },
  },
  stake_withdrawal: {
    details: {
      provider: "liquid_staking",
      stake_holder: ann,
      pool: pool,
      asset: falseTon,
      amount: "477298994",
      payout_nft: null,
      tokens_burnt: "499933340",
    },
    text: "<img src=x onerror=alert(1)> withdrew a stake of 0.477298994 TON from EQDMzM…zDA5 in exchange for 0.49993334 ＴＯＮ (EQDu7u…7mKn)",
    icon: "stake",
    title: "Stake withdrawn",
    values: [
      ["amount", "477298994", null, "TON", 9, "0.477298994 TON"],
      ["tokens_burnt", "499933340", falseTon, "ＴＯＮ (EQDu7u…7mKn)", 9, "0.49993334 ＴＯＮ (EQDu7u…7mKn)"],
    ],
    accounts: [
      ["stake_holder", ann, "<img src=x onerror=alert(1)>"],
      ["pool", pool, null],
    ],
    failed: {
      failure: noCode,
      text: "Failed: <img src=x onerror=alert(1)> withdrew a stake of 0.477298994 TON from EQDMzM…zDA5 in exchange for 0.49993334 ＴＯＮ (EQDu7u…7mKn); ben��.ton {amount:TON} was not run, as it has no code",
      accounts: [
        ["stake_holder", ann, "<img src=x onerror=alert(1)>"],
        ["pool", pool, null],
        ["failed", ben, "ben��.ton {amount:TON}"],
      ],
    },
  },
  stake_withdrawal_request: {
    details: {
      provider: "liquid_staking",
      stake_holder: ann,
      pool: pool,
      asset: falseTon,
      payout_nft: "0:7ABD6C4CD7E44D1E3D293C1F8324F4AF610F69F62966E009662D3442484D3025",
      tokens_burnt: "67599",
    },
    text: "<img src=x onerror=alert(1)> asked EQDMzM…zDA5 for a stake back in exchange for 0.000067599 ＴＯＮ (EQDu7u…7mKn)",
    icon: "stake",
    title: "Stake requested back",
    values: [["tokens", "67599", falseTon, "ＴＯＮ (EQDu7u…7mKn)", 9, "0.000067599 ＴＯＮ (EQDu7u…7mKn)"]],
    accounts: [
      ["stake_holder", ann, "<img src=x onerror=alert(1)>"],
      ["pool", pool, null],
    ],
    failed: {
      failure: ownCode,
      text: "Failed: <img src=x onerror=alert(1)> asked EQDMzM…zDA5 for a stake back in exchange for 0.000067599 ＴＯＮ (EQDu7u…7mKn); EQDMzM…zDA5 failed in the compute phase with exit code 4001",
    },
  },
  election_deposit: {
    details: { stake_holder: ann, amount: "300000000000000" },
    text: "<img src=x onerror=alert(1)> staked 300,000 TON in the validator elections",
    icon: "stake",
    title: "Election stake deposited",
    values: [["amount", "300000000000000", null, "TON", 9, "300,000 TON"]],
    accounts: [["stake_holder", ann, "<img src=x onerror=alert(1)>"]],
    failed: {
      failure: null,
      text: "Failed: <img src=x onerror=alert(1)> staked 300,000 TON in the validator elections",
    },
  },
  election_recover: {
    details: { stake_holder: ann, amount: "300500000000000" },
    text: "<img src=x onerror=alert(1)> recovered 300,500 TON from the validator elections",
    icon: "stake",
    title: "Election stake recovered",
    values: [["amount", "300500000000000", null, "TON", 9, "300,500 TON"]],
    accounts: [["stake_holder", ann, "<img src=x onerror=alert(1)>"]],
    failed: {
      failure: null,
      text: "Failed: <img src=x onerror=alert(1)> recovered 300,500 TON from the validator elections",
    },
  },
};
