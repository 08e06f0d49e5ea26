import { noCode, outOfGas, ownCode } from "./failures.js";
import type { Goldens } from "./golden.js";
import { ann, ben, pool } from "./people.js";

export const cocoon: Goldens<
  | "cocoon_worker_payout"
  | "cocoon_proxy_payout"
  | "cocoon_proxy_charge"
  | "cocoon_client_top_up"
  | "cocoon_register_proxy"
  | "cocoon_unregister_proxy"
  | "cocoon_client_register"
  | "cocoon_client_change_secret_hash"
  | "cocoon_client_request_refund"
  | "cocoon_grant_refund"
  | "cocoon_client_increase_stake"
  | "cocoon_client_withdraw"
> = {
  cocoon_worker_payout: {
    details: {
      payout_type: "last",
      query_id: "10553886210694500674",
      new_tokens: "9229614747703451079",
      worker_state: 0,
      worker_tokens: "73063940556",
      source: ann,
      destination: ben,
      amount: "4500148290",
    },
    text: "ben��.ton {amount:TON} was paid 4.50014829 TON for work on Cocoon, for the last time",
    icon: "service",
    title: "Cocoon worker paid",
    values: [["amount", "4500148290", null, "TON", 9, "4.50014829 TON"]],
    accounts: [["destination", ben, "ben��.ton {amount:TON}"]],
    failed: {
      failure: noCode,
      text: "Failed: ben��.ton {amount:TON} was paid 4.50014829 TON for work on Cocoon, for the last time; ben��.ton {amount:TON} was not run, as it has no code",
    },
  },
  cocoon_proxy_payout: {
    details: { query_id: "12731543016903973642", source: ann, destination: ben },
    text: "<img src=x onerror=alert(1)> of Cocoon paid its earnings to ben��.ton {amount:TON}",
    icon: "service",
    title: "Cocoon proxy paid",
    values: [],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["destination", ben, "ben��.ton {amount:TON}"],
    ],
    failed: {
      failure: noCode,
      text: "Failed: <img src=x onerror=alert(1)> of Cocoon paid its earnings to ben��.ton {amount:TON}; ben��.ton {amount:TON} was not run, as it has no code",
    },
  },
  cocoon_proxy_charge: {
    details: {
      query_id: "3340233008295500229",
      new_tokens_used: "9225483487327049292",
      expected_address: "260;8da2c03aaf0c2beb208f6828c3547d4a86e19a98f1bfaaba09bcd727438138bfc",
      source: ann,
      destination: ben,
    },
    text: "ben��.ton {amount:TON} charged <img src=x onerror=alert(1)> on Cocoon",
    icon: "service",
    title: "Cocoon client charged",
    values: [],
    accounts: [
      ["destination", ben, "ben��.ton {amount:TON}"],
      ["source", ann, "<img src=x onerror=alert(1)>"],
    ],
    failed: {
      failure: ownCode,
      text: "Failed: ben��.ton {amount:TON} charged <img src=x onerror=alert(1)> on Cocoon; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
      accounts: [
        ["destination", ben, "ben��.ton {amount:TON}"],
        ["source", ann, "<img src=x onerror=alert(1)>"],
        ["failed", pool, null],
      ],
    },
  },
  cocoon_client_top_up: {
    details: { query_id: "11691960163567649532", source: ann, destination: ben, amount: "1000000000" },
    text: "<img src=x onerror=alert(1)> topped up ben��.ton {amount:TON} on Cocoon with 1 TON",
    icon: "service",
    title: "Cocoon client topped up",
    values: [["amount", "1000000000", null, "TON", 9, "1 TON"]],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["destination", ben, "ben��.ton {amount:TON}"],
    ],
    failed: {
      failure: ownCode,
      text: "Failed: <img src=x onerror=alert(1)> topped up ben��.ton {amount:TON} on Cocoon with 1 TON; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
      accounts: [
        ["source", ann, "<img src=x onerror=alert(1)>"],
        ["destination", ben, "ben��.ton {amount:TON}"],
        ["failed", pool, null],
      ],
    },
  },
  cocoon_register_proxy: {
    details: { query_id: "0", destination: ben },
    text: "A proxy registered with ben��.ton {amount:TON} of Cocoon",
    icon: "service",
    title: "Cocoon proxy registered",
    values: [],
    accounts: [["destination", ben, "ben��.ton {amount:TON}"]],
    failed: {
      failure: ownCode,
      text: "Failed: a proxy registered with ben��.ton {amount:TON} of Cocoon; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
      accounts: [
        ["destination", ben, "ben��.ton {amount:TON}"],
        ["failed", pool, null],
      ],
    },
  },
  cocoon_unregister_proxy: {
    details: { query_id: "0", seqno: 1, destination: ben },
    text: "A proxy with number 1 was removed from ben��.ton {amount:TON} of Cocoon",
    icon: "service",
    title: "Cocoon proxy removed",
    values: [],
    accounts: [["destination", ben, "ben��.ton {amount:TON}"]],
    failed: {
      failure: ownCode,
      text: "Failed: a proxy with number 1 was removed from ben��.ton {amount:TON} of Cocoon; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
      accounts: [
        ["destination", ben, "ben��.ton {amount:TON}"],
        ["failed", pool, null],
      ],
    },
  },
  cocoon_client_register: {
    details: {
      query_id: "1821011912409218354",
      nonce: "11924145372215500834",
      source: ann,
      destination: ben,
    },
    text: "<img src=x onerror=alert(1)> registered ben��.ton {amount:TON} on Cocoon",
    icon: "service",
    title: "Cocoon client registered",
    values: [],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["destination", ben, "ben��.ton {amount:TON}"],
    ],
    failed: {
      failure: ownCode,
      text: "Failed: <img src=x onerror=alert(1)> registered ben��.ton {amount:TON} on Cocoon; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
      accounts: [
        ["source", ann, "<img src=x onerror=alert(1)>"],
        ["destination", ben, "ben��.ton {amount:TON}"],
        ["failed", pool, null],
      ],
    },
  },
  cocoon_client_change_secret_hash: {
    details: {
      query_id: "1387465229815244673",
      new_secret_hash: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      source: ann,
      destination: ben,
    },
    text: "<img src=x onerror=alert(1)> changed the secret of ben��.ton {amount:TON} on Cocoon",
    icon: "service",
    title: "Cocoon secret changed",
    values: [],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["destination", ben, "ben��.ton {amount:TON}"],
    ],
    failed: {
      failure: outOfGas,
      text: "Failed: <img src=x onerror=alert(1)> changed the secret of ben��.ton {amount:TON} on Cocoon; EQDMzM…zDA5 failed in the compute phase with exit code -14 (out of gas)",
      accounts: [
        ["source", ann, "<img src=x onerror=alert(1)>"],
        ["destination", ben, "ben��.ton {amount:TON}"],
        ["failed", pool, null],
      ],
    },
  },
  cocoon_client_request_refund: {
    details: { query_id: "0", via_wallet: true, source: ann, destination: ben },
    text: "<img src=x onerror=alert(1)> asked ben��.ton {amount:TON} on Cocoon for a refund",
    icon: "service",
    title: "Cocoon refund requested",
    values: [],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["destination", ben, "ben��.ton {amount:TON}"],
    ],
    failed: {
      failure: ownCode,
      text: "Failed: <img src=x onerror=alert(1)> asked ben��.ton {amount:TON} on Cocoon for a refund; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
      accounts: [
        ["source", ann, "<img src=x onerror=alert(1)>"],
        ["destination", ben, "ben��.ton {amount:TON}"],
        ["failed", pool, null],
      ],
    },
  },
  cocoon_grant_refund: {
    details: {
      query_id: "8779794170130083123",
      new_tokens_used: "9225483487327049292",
      expected_address: "260;8da2c03aaf0c2beb208f6828c3547d4a86e19a98f1bfaaba9e7fc24ff1452428e",
      source: ann,
      destination: ben,
      amount: "14999630120",
    },
    text: "<img src=x onerror=alert(1)> of Cocoon refunded 14.99963012 TON to ben��.ton {amount:TON}",
    icon: "service",
    title: "Cocoon refund paid",
    values: [["amount", "14999630120", null, "TON", 9, "14.99963012 TON"]],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["destination", ben, "ben��.ton {amount:TON}"],
    ],
    failed: {
      failure: noCode,
      text: "Failed: <img src=x onerror=alert(1)> of Cocoon refunded 14.99963012 TON to ben��.ton {amount:TON}; ben��.ton {amount:TON} was not run, as it has no code",
    },
  },
  cocoon_client_increase_stake: {
    details: {
      query_id: "0",
      new_stake: "18000000000",
      source: ann,
      destination: ben,
      amount: "18000000000",
    },
    text: "<img src=x onerror=alert(1)> raised the stake of ben��.ton {amount:TON} on Cocoon to 18 TON",
    icon: "service",
    title: "Cocoon stake raised",
    values: [["new_stake", "18000000000", null, "TON", 9, "18 TON"]],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["destination", ben, "ben��.ton {amount:TON}"],
    ],
    failed: {
      failure: ownCode,
      text: "Failed: <img src=x onerror=alert(1)> raised the stake of ben��.ton {amount:TON} on Cocoon to 18 TON; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
      accounts: [
        ["source", ann, "<img src=x onerror=alert(1)>"],
        ["destination", ben, "ben��.ton {amount:TON}"],
        ["failed", pool, null],
      ],
    },
  },
  cocoon_client_withdraw: {
    details: {
      query_id: "374934315680212459",
      withdraw_amount: "999985640",
      source: ann,
      destination: ben,
      amount: "999985640",
    },
    text: "<img src=x onerror=alert(1)> withdrew 0.99998564 TON from ben��.ton {amount:TON} on Cocoon",
    icon: "service",
    title: "Withdrawn from Cocoon",
    values: [["withdraw_amount", "999985640", null, "TON", 9, "0.99998564 TON"]],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["destination", ben, "ben��.ton {amount:TON}"],
    ],
    failed: {
      failure: ownCode,
      text: "Failed: <img src=x onerror=alert(1)> withdrew 0.99998564 TON from ben��.ton {amount:TON} on Cocoon; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
      accounts: [
        ["source", ann, "<img src=x onerror=alert(1)>"],
        ["destination", ben, "ben��.ton {amount:TON}"],
        ["failed", pool, null],
      ],
    },
  },
};
