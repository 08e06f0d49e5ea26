import { indebted, noCode, noCoins, outOfGas, ownCode } from "./failures.js";
import type { Goldens } from "./golden.js";
import { ann, ben, elector, hostileComment } from "./people.js";

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
} satisfies Partial<Goldens>;
