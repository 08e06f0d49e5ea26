import { noCoins, ownCode, unexplained } from "./failures.js";
import type { Goldens } from "./golden.js";
import { ann, ben, elector, pool } from "./people.js";

export const wallets = {
  subscribe: {
    details: { beneficiary: ben, subscriber: ann, amount: "5000000000" },
    says: "‹subscriber› subscribed to ‹beneficiary› for ‹amount: 5 TON›",
    shown: ["subscription", "Subscribed"],
    failed: noCoins,
  },
  unsubscribe: {
    details: { beneficiary: ben, subscriber: ann },
    says: "‹subscriber› ended its subscription to ‹beneficiary›",
    shown: ["subscription", "Subscription ended"],
  },
  multisig_create_order: {
    details: { order_seqno: "2", source: ann, destination: ben, destination_order: pool },
    says: "‹source› created an order of ‹destination› with number 2 at ‹destination_order› and approved it",
    shown: ["multisig", "Multisig order created"],
  },
  multisig_approve: {
    details: { exit_code: 0, source: ann, destination: pool },
    says: "‹source› approved ‹destination›",
    shown: ["multisig", "Multisig order approved"],
    failed: {
      ...unexplained,
      details: { exit_code: 106 },
      says: "‹source› approved ‹destination›, which refused it with exit code 106 (sender not signer)",
    },
  },
  multisig_execute: {
    details: { approvals_num: 2, source: pool, destination: ben },
    says: "‹destination› executed ‹source› with 2 approvals",
    shown: ["multisig", "Multisig order executed"],
    failed: noCoins,
  },
  vesting_send_message: {
    details: { source: ann, vesting: pool, destination: ben, amount: "100000000000" },
    says: "‹source› sent ‹amount: 100 TON› to ‹destination› from ‹vesting›",
    shown: ["vesting", "Sent from vesting"],
    failed: ownCode,
  },
  vesting_add_whitelist: {
    details: { source: ann, vesting: pool, accounts_added: [ben, elector] },
    says: "‹source› allowed ‹vesting› to pay ‹accounts_added=ben› and ‹accounts_added=elector›",
    shown: ["vesting", "Vesting whitelist extended"],
  },
} satisfies Partial<Goldens>;
