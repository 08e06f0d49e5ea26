import { noCoins, ownCode } from "./failures.js";
import type { Goldens } from "./golden.js";
import { ann, ben, elector, pool } from "./people.js";

export const wallets: Goldens<
  | "subscribe"
  | "unsubscribe"
  | "multisig_create_order"
  | "multisig_approve"
  | "multisig_execute"
  | "vesting_send_message"
  | "vesting_add_whitelist"
> = {
  subscribe: {
    details: {
      beneficiary: ben,
      subscriber: ann,
      subscription: "0:27CAC5503836765CD10751D27AB4A6E17D7A80D4C948430A5A81513973F9B51E",
      amount: "5000000000",
    },
    text: "<img src=x onerror=alert(1)> subscribed to ben��.ton {amount:TON} for 5 TON",
    icon: "subscription",
    title: "Subscribed",
    values: [["amount", "5000000000", null, "TON", 9, "5 TON"]],
    accounts: [
      ["subscriber", ann, "<img src=x onerror=alert(1)>"],
      ["beneficiary", ben, "ben��.ton {amount:TON}"],
    ],
    failed: {
      failure: noCoins,
      text: "Failed: <img src=x onerror=alert(1)> subscribed to ben��.ton {amount:TON} for 5 TON; <img src=x onerror=alert(1)> failed in the action phase with exit code 37 (there are not enough coins for a message)",
    },
  },
  unsubscribe: {
    details: {
      beneficiary: ben,
      subscriber: ann,
      subscription: "0:27CAC5503836765CD10751D27AB4A6E17D7A80D4C948430A5A81513973F9B51E",
    },
    text: "<img src=x onerror=alert(1)> ended its subscription to ben��.ton {amount:TON}",
    icon: "subscription",
    title: "Subscription ended",
    values: [],
    accounts: [
      ["subscriber", ann, "<img src=x onerror=alert(1)>"],
      ["beneficiary", ben, "ben��.ton {amount:TON}"],
    ],
    failed: null,
  },
  multisig_create_order: {
    details: {
      query_id: "0",
      order_seqno: "2",
      is_created_by_signer: true,
      is_signed_by_creator: true,
      creator_index: 1,
      expiration_date: 1764179874,
      order_boc: "te6ccgEBAQEAAgAAAA==",
      source: ann,
      destination: ben,
      destination_order: pool,
    },
    text: "<img src=x onerror=alert(1)> created an order of ben��.ton {amount:TON} with number 2 at EQDMzM…zDA5 and approved it",
    icon: "multisig",
    title: "Multisig order created",
    values: [],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["destination", ben, "ben��.ton {amount:TON}"],
      ["destination_order", pool, null],
    ],
    failed: null,
  },
  multisig_approve: {
    details: { signer_index: 1, exit_code: 0, source: ann, destination: pool },
    text: "<img src=x onerror=alert(1)> approved EQDMzM…zDA5",
    icon: "multisig",
    title: "Multisig order approved",
    values: [],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["destination", pool, null],
    ],
    failed: {
      details: { exit_code: 106 },
      failure: null,
      text: "Failed: <img src=x onerror=alert(1)> approved EQDMzM…zDA5, which refused it with exit code 106 (sender not signer)",
    },
  },
  multisig_execute: {
    details: {
      query_id: "0",
      order_seqno: "4",
      expiration_date: 1764179874,
      approvals_num: 2,
      signers_hash: "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=",
      order_boc: "te6ccgEBAQEAAgAAAA==",
      source: pool,
      destination: ben,
    },
    text: "ben��.ton {amount:TON} executed EQDMzM…zDA5 with 2 approvals",
    icon: "multisig",
    title: "Multisig order executed",
    values: [],
    accounts: [
      ["destination", ben, "ben��.ton {amount:TON}"],
      ["source", pool, null],
    ],
    failed: {
      failure: noCoins,
      text: "Failed: ben��.ton {amount:TON} executed EQDMzM…zDA5 with 2 approvals; <img src=x onerror=alert(1)> failed in the action phase with exit code 37 (there are not enough coins for a message)",
      accounts: [
        ["destination", ben, "ben��.ton {amount:TON}"],
        ["source", pool, null],
        ["failed", ann, "<img src=x onerror=alert(1)>"],
      ],
    },
  },
  vesting_send_message: {
    details: {
      query_id: "0",
      message_boc:
        "te6ccgEBAQEAQgAAgGIAVFNL1eqiRdmvXeoKcmTsexD6nbPaoqirAyLcdhL8PpyoukO3QAAAAAAAAAAAAAAAAAAAAAAAAERlcG9zaXQ=",
      source: ann,
      vesting: pool,
      destination: ben,
      amount: "100000000000",
    },
    text: "<img src=x onerror=alert(1)> sent 100 TON to ben��.ton {amount:TON} from EQDMzM…zDA5",
    icon: "vesting",
    title: "Sent from vesting",
    values: [["amount", "100000000000", null, "TON", 9, "100 TON"]],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["destination", ben, "ben��.ton {amount:TON}"],
      ["vesting", pool, null],
    ],
    failed: {
      failure: ownCode,
      text: "Failed: <img src=x onerror=alert(1)> sent 100 TON to ben��.ton {amount:TON} from EQDMzM…zDA5; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
    },
  },
  vesting_add_whitelist: {
    details: { query_id: "0", source: ann, vesting: pool, accounts_added: [ben, elector] },
    text: "<img src=x onerror=alert(1)> allowed EQDMzM…zDA5 to pay ben��.ton {amount:TON} and Elector",
    icon: "vesting",
    title: "Vesting whitelist extended",
    values: [],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["vesting", pool, null],
      ["accounts_added", ben, "ben��.ton {amount:TON}"],
      ["accounts_added", elector, "Elector"],
    ],
    failed: null,
  },
};
