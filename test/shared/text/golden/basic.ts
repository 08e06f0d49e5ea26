import { indebted, noCode, noCoins, outOfGas, ownCode } from "./failures.js";
import type { Goldens } from "./golden.js";
import { ann, ben, elector, hostileComment, pool } from "./people.js";

export const basic: Goldens<
  "call_contract" | "contract_deploy" | "ton_transfer" | "extra_currency_transfer" | "tick_tock" | "unknown"
> = {
  call_contract: {
    details: {
      opcode: "0xc59a7cd3",
      source: ann,
      destination: ben,
      value: "14999630120",
      extra_currencies: { "100": "5" },
    },
    text: "<img src=x onerror=alert(1)> called ben��.ton {amount:TON} with opcode 0xc59a7cd3, sending 14.99963012 TON and 5 units of currency 100",
    icon: "call",
    title: "Contract call",
    values: [
      ["value", "14999630120", null, "TON", 9, "14.99963012 TON"],
      ["value", "5", null, "currency 100", null, "5 units of currency 100"],
    ],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["destination", ben, "ben��.ton {amount:TON}"],
    ],
    failed: {
      failure: outOfGas,
      text: "Failed: <img src=x onerror=alert(1)> called ben��.ton {amount:TON} with opcode 0xc59a7cd3, sending 14.99963012 TON and 5 units of currency 100; EQDMzM…zDA5 failed in the compute phase with exit code -14 (out of gas)",
      accounts: [
        ["source", ann, "<img src=x onerror=alert(1)>"],
        ["destination", ben, "ben��.ton {amount:TON}"],
        ["failed", pool, null],
      ],
    },
  },
  contract_deploy: {
    details: { opcode: "0x178d4519", source: ann, destination: ben, value: "192152000" },
    text: "<img src=x onerror=alert(1)> deployed ben��.ton {amount:TON} with 0.192152 TON",
    icon: "deploy",
    title: "Contract deployed",
    values: [["value", "192152000", null, "TON", 9, "0.192152 TON"]],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["destination", ben, "ben��.ton {amount:TON}"],
    ],
    failed: {
      failure: noCoins,
      text: "Failed: <img src=x onerror=alert(1)> deployed ben��.ton {amount:TON} with 0.192152 TON; <img src=x onerror=alert(1)> failed in the action phase with exit code 37 (there are not enough coins for a message)",
    },
  },
  ton_transfer: {
    details: {
      source: ann,
      destination: ben,
      value: "217159462",
      value_extra_currencies: {},
      comment: hostileComment,
      encrypted: false,
    },
    text: "<img src=x onerror=alert(1)> sent 0.217159462 TON to ben��.ton {amount:TON}, saying “thanks”�, saying “�gnp.exe {amount:TON}[x]”",
    icon: "transfer",
    title: "Transfer",
    values: [["value", "217159462", null, "TON", 9, "0.217159462 TON"]],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["destination", ben, "ben��.ton {amount:TON}"],
    ],
    failed: {
      failure: noCode,
      text: "Failed: <img src=x onerror=alert(1)> sent 0.217159462 TON to ben��.ton {amount:TON}, saying “thanks”�, saying “�gnp.exe {amount:TON}[x]”; ben��.ton {amount:TON} was not run, as it has no code",
    },
  },
  extra_currency_transfer: {
    details: {
      source: ann,
      destination: ben,
      value: "1000000000",
      value_extra_currencies: { "100": "5", "239": "70000" },
      comment: "QUJDRA==",
      encrypted: true,
    },
    text: "<img src=x onerror=alert(1)> sent 1 TON, 5 units of currency 100 and 70,000 units of currency 239 to ben��.ton {amount:TON}, with an encrypted comment",
    icon: "transfer",
    title: "Extra currency transfer",
    values: [
      ["value", "1000000000", null, "TON", 9, "1 TON"],
      ["value", "5", null, "currency 100", null, "5 units of currency 100"],
      ["value", "70000", null, "currency 239", null, "70,000 units of currency 239"],
    ],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["destination", ben, "ben��.ton {amount:TON}"],
    ],
    failed: {
      failure: indebted,
      text: "Failed: <img src=x onerror=alert(1)> sent 1 TON, 5 units of currency 100 and 70,000 units of currency 239 to ben��.ton {amount:TON}, with an encrypted comment; the debt of ben��.ton {amount:TON} used up the value of the message",
    },
  },
  tick_tock: {
    details: { account: elector },
    text: "The network ran Elector, as it does in every block",
    icon: "system",
    title: "System run",
    values: [],
    accounts: [["account", elector, "Elector"]],
    failed: {
      failure: ownCode,
      text: "Failed: the network ran Elector, as it does in every block; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
      accounts: [
        ["account", elector, "Elector"],
        ["failed", pool, null],
      ],
    },
  },
  unknown: {
    details: { error: "unsupported action type: 'unknown'" },
    text: "Transactions that follow no known pattern",
    icon: "unknown",
    title: "Unknown transactions",
    values: [],
    accounts: [],
    failed: {
      failure: outOfGas,
      text: "Failed: transactions that follow no known pattern; EQDMzM…zDA5 failed in the compute phase with exit code -14 (out of gas)",
      accounts: [["failed", pool, null]],
    },
  },
};
