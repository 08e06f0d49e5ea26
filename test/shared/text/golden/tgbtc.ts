import type { Goldens } from "./golden.js";
import { acorn, ann, ben, pool } from "./people.js";

export const tgbtc: Goldens<
  | "tgbtc_mint"
  | "tgbtc_mint_fallback"
  | "tgbtc_burn"
  | "tgbtc_burn_fallback"
  | "tgbtc_new_key"
  | "tgbtc_new_key_fallback"
  | "tgbtc_dkg_log_fallback"
> = {
  tgbtc_mint: {
    details: {
      source: ben,
      destination: ben,
      amount: "1660350",
      asset: acorn,
      bitcoin_tx_id: "e74d6db9342378bd2a5f09dac1aa7f4b035389c4ca92b8c112a500477009e0bf",
      destination_wallet: "0:9C574128B2A865BAD06015BBFF4E4196FF8AAA3C92174043DBAF84C0035B34F0",
    },
    text: "1,660.35 ACORN[x]{?y} were minted for ben��.ton {amount:TON} for Bitcoin transaction e74d6db9342378bd2a5f09dac1aa7f4b035389c4ca92b8c112a500477009e0bf",
    icon: "mint",
    title: "tgBTC minted",
    values: [["amount", "1660350", acorn, "ACORN[x]{?y}", 3, "1,660.35 ACORN[x]{?y}"]],
    accounts: [["destination", ben, "ben��.ton {amount:TON}"]],
    failed: null,
  },
  tgbtc_mint_fallback: {
    details: {
      source: ann,
      destination: ben,
      amount: "50000",
      asset: null,
      bitcoin_tx_id: "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b",
      destination_wallet: null,
    },
    text: "50,000 units of tgBTC were minted for ben��.ton {amount:TON} for Bitcoin transaction 4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b",
    icon: "mint",
    title: "tgBTC minted",
    values: [["amount", "50000", null, "tgBTC", null, "50,000 units of tgBTC"]],
    accounts: [["destination", ben, "ben��.ton {amount:TON}"]],
    failed: null,
  },
  tgbtc_burn: {
    details: {
      source: ann,
      source_wallet: "0:E2711224A693851A223A3E8E81000DF7125F0AC60684CEA767C8FB0B6CD46A0C",
      destination: ben,
      amount: "1000",
      asset: acorn,
    },
    text: "<img src=x onerror=alert(1)> burned 1 ACORN[x]{?y} for a payment on Bitcoin",
    icon: "burn",
    title: "tgBTC burned",
    values: [["amount", "1000", acorn, "ACORN[x]{?y}", 3, "1 ACORN[x]{?y}"]],
    accounts: [["source", ann, "<img src=x onerror=alert(1)>"]],
    failed: null,
  },
  tgbtc_burn_fallback: {
    details: {
      source: null,
      source_wallet: null,
      destination: null,
      amount: "2108539095393251256237182",
      asset: null,
    },
    text: "An unknown account burned 2,108,539,095,393,251,256,237,182 units of tgBTC for a payment on Bitcoin",
    icon: "burn",
    title: "tgBTC burned",
    values: [
      [
        "amount",
        "2108539095393251256237182",
        null,
        "tgBTC",
        null,
        "2,108,539,095,393,251,256,237,182 units of tgBTC",
      ],
    ],
    accounts: [],
    failed: null,
  },
  tgbtc_new_key: {
    details: {
      source: ann,
      pubkey: "bca58e7898026854a2f14ef0beffbf7e9fa7efa2f38deae30c1ac729247c6d3b",
      coordinator: pool,
      pegout: "0:20B8CE7C5DDFC263FCFF2AA752C4F2D4590BF31C4DABF1FB4D034DE605E62260",
      amount: "425489053700",
      asset: null,
    },
    text: "<img src=x onerror=alert(1)> sent EQDMzM…zDA5 a new key, bca58e7898026854…",
    icon: "bridge",
    title: "tgBTC key changed",
    values: [],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["coordinator", pool, null],
    ],
    failed: null,
  },
  tgbtc_new_key_fallback: {
    details: {
      source: null,
      pubkey: "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
      coordinator: pool,
      pegout: "0:27CAC5503836765CD10751D27AB4A6E17D7A80D4C948430A5A81513973F9B51E",
      amount: "70",
      asset: null,
    },
    text: "Signers of tgBTC sent EQDMzM…zDA5 a new key, 79be667ef9dcbbac…",
    icon: "bridge",
    title: "tgBTC key changed",
    values: [],
    accounts: [["coordinator", pool, null]],
    failed: null,
  },
  tgbtc_dkg_log_fallback: {
    details: {
      coordinator: pool,
      pubkey: "bb3a21df270dd0e6dc1169f4afb93be5eb2945df81c011f2b29f648daf64d150",
      timestamp: "1744132682",
    },
    text: "EQDMzM…zDA5 announced a key that its signers made, bb3a21df270dd0e6…",
    icon: "bridge",
    title: "tgBTC key made",
    values: [],
    accounts: [["coordinator", pool, null]],
    failed: null,
  },
};
