import { noCode, outOfGas, ownCode, unexplained } from "./failures.js";
import type { Goldens } from "./golden.js";
import { acorn, ann, ben, falseTon, formula, hostileComment } from "./people.js";

export const jettons = {
  jetton_transfer: {
    details: {
      asset: acorn,
      sender: ann,
      receiver: ben,
      amount: "10000",
      comment: hostileComment,
      is_encrypted_comment: false,
    },
    says: "‹sender› sent ‹amount: 10 ACORN› to ‹receiver›, saying “thanks”�, saying “�gnp.exe {amount:TON}[x]”",
    shown: ["transfer", "Jetton transfer"],
    failed: outOfGas,
  },
  jetton_burn: {
    details: { owner: ann, asset: acorn, amount: "93066" },
    says: "‹owner› burned ‹amount: 93.066 ACORN›",
    shown: ["burn", "Jettons burned"],
    failed: ownCode,
  },
  jetton_mint: {
    details: { asset: formula, receiver: ben, amount: "1" },
    says: "‹amount: 1 unit of FORMULA› was minted for ‹receiver›",
    shown: ["mint", "Jettons minted"],
    failed: noCode,
  },
  jetton_swap: {
    details: {
      dex: "tonco",
      sender: ann,
      dex_incoming_transfer: { asset: acorn, amount: "7205784725" },
      dex_outgoing_transfer: { asset: falseTon, amount: "33957063173" },
      peer_swaps: [
        { asset_in: acorn, amount_in: "7205784725", asset_out: falseTon, amount_out: "37841924" },
        { asset_in: acorn, amount_in: "37841924", asset_out: falseTon, amount_out: "33957063173" },
      ],
      min_out_amount: "33000000000",
    },
    says: "‹sender› swapped ‹amount_in: 7,205,784.725 ACORN› for ‹amount_out: 33.957063173 FALSE› on TONCO, through 2 pools, asking for at least ‹min_out_amount: 33 FALSE›",
    shown: ["swap", "Swap"],
    failed: unexplained,
  },
} satisfies Partial<Goldens>;
