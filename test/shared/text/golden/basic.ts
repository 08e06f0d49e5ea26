import { indebted, noCode, noCoins, outOfGas, ownCode, unexplained } from "./failures.js";
import type { Goldens } from "./golden.js";
import { acorn, ann, ben, elector, falseTon, formula, hostileComment } from "./people.js";

export const basic = {
  call_contract: {
    details: {
      opcode: "0xc59a7cd3",
      source: ann,
      destination: ben,
      value: "14999630120",
      extra_currencies: { "100": "5" },
    },
    says: "‹source› called ‹destination› with opcode 0xc59a7cd3, sending ‹value: 14.99963012 TON› and ‹value: 5 units of currency 100›",
    shown: ["call", "Contract call"],
    failed: outOfGas,
  },
  contract_deploy: {
    details: { source: ann, destination: ben, value: "192152000" },
    says: "‹source› deployed ‹destination› with ‹value: 0.192152 TON›",
    shown: ["deploy", "Contract deployed"],
    failed: noCoins,
  },
  ton_transfer: {
    details: { source: ann, destination: ben, value: "217159462", comment: hostileComment, encrypted: false },
    says: "‹source› sent ‹value: 0.217159462 TON› to ‹destination›, saying “thanks”�, saying “�gnp.exe {amount:TON}[x]”",
    shown: ["transfer", "Transfer"],
    failed: noCode,
  },
  extra_currency_transfer: {
    details: {
      source: ann,
      destination: ben,
      value: "1000000000",
      value_extra_currencies: { "100": "5", "239": "70000" },
    },
    says: "‹source› sent ‹value: 1 TON›, ‹value: 5 units of currency 100› and ‹value: 70,000 units of currency 239› to ‹destination›, with an encrypted comment",
    shown: ["transfer", "Extra currency transfer"],
    failed: indebted,
  },
  tick_tock: {
    details: { account: elector },
    says: "The network ran ‹account›, as it does in every block",
    shown: ["system", "System run"],
    failed: ownCode,
  },
  unknown: {
    details: {},
    says: "Transactions that follow no known pattern",
    shown: ["unknown", "Unknown transactions"],
    failed: outOfGas,
  },
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
