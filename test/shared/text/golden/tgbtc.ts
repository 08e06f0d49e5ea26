import type { Goldens } from "./golden.js";
import { acorn, ann, ben, pool } from "./people.js";

export const tgbtc = {
  tgbtc_mint: {
    details: {
      destination: ben,
      amount: "1660350",
      asset: acorn,
      bitcoin_tx_id: "e74d6db9342378bd2a5f09dac1aa7f4b035389c4ca92b8c112a500477009e0bf",
    },
    says: "‹amount: 1,660.35 ACORN› were minted for ‹destination› for Bitcoin transaction e74d6db9342378bd2a5f09dac1aa7f4b035389c4ca92b8c112a500477009e0bf",
    shown: ["mint", "tgBTC minted"],
  },
  tgbtc_mint_fallback: {
    details: {
      destination: ben,
      amount: "50000",
      asset: null,
      bitcoin_tx_id: "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b",
    },
    says: "‹amount: 50,000 units of tgBTC› were minted for ‹destination› for Bitcoin transaction 4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b",
    shown: ["mint", "tgBTC minted"],
  },
  tgbtc_burn: {
    details: { source: ann, amount: "1000", asset: acorn },
    says: "‹source› burned ‹amount: 1 ACORN› for a payment on Bitcoin",
    shown: ["burn", "tgBTC burned"],
  },
  tgbtc_burn_fallback: {
    details: { source: null, amount: "2108539095393251256237182", asset: null },
    says: "An unknown account burned ‹amount: 2,108,539,095,393,251,256,237,182 units of tgBTC› for a payment on Bitcoin",
    shown: ["burn", "tgBTC burned"],
  },
  tgbtc_new_key: {
    details: {
      source: ann,
      pubkey: "bca58e7898026854a2f14ef0beffbf7e9fa7efa2f38deae30c1ac729247c6d3b",
      coordinator: pool,
    },
    says: "‹source› sent ‹coordinator› a new key, bca58e7898026854…",
    shown: ["bridge", "tgBTC key changed"],
  },
  tgbtc_new_key_fallback: {
    details: {
      source: null,
      pubkey: "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
      coordinator: pool,
    },
    says: "Signers of tgBTC sent ‹coordinator› a new key, 79be667ef9dcbbac…",
    shown: ["bridge", "tgBTC key changed"],
  },
  tgbtc_dkg_log_fallback: {
    details: {
      coordinator: pool,
      pubkey: "bb3a21df270dd0e6dc1169f4afb93be5eb2945df81c011f2b29f648daf64d150",
    },
    says: "‹coordinator› announced a key that its signers made, bb3a21df270dd0e6…",
    shown: ["bridge", "tgBTC key made"],
  },
} satisfies Partial<Goldens>;
