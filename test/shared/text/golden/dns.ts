import { outOfGas, ownCode } from "./failures.js";
import type { Goldens } from "./golden.js";
import { ann, ben, collection, hostileComment, item, pool } from "./people.js";

export const dns: Goldens<"change_dns" | "delete_dns" | "renew_dns" | "dns_purchase" | "dns_release"> = {
  change_dns: {
    details: {
      key: "00000000000000000000000000000000000000000000000000000000000000ab",
      source: ann,
      asset: item,
      nft_collection: collection,
      value: {
        sum_type: "DNSText",
        dns_smc_address: null,
        dns_adnl_address: null,
        dns_text: hostileComment,
        dns_next_resolver_address: null,
        dns_storage_address: hostileComment,
        flags: null,
      },
    },
    text: "<img src=x onerror=alert(1)> set the text of Long name Long name Long name Lo… to “thanks”�, saying “�gnp.exe {amount:TON}[x]”",
    icon: "domain",
    title: "Domain record set",
    values: [],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["asset", item, "Long name Long name Long name Lo…"],
    ],
    failed: {
      failure: ownCode,
      text: "Failed: <img src=x onerror=alert(1)> set the text of Long name Long name Long name Lo… to “thanks”�, saying “�gnp.exe {amount:TON}[x]”; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
      accounts: [
        ["source", ann, "<img src=x onerror=alert(1)>"],
        ["asset", item, "Long name Long name Long name Lo…"],
        ["failed", pool, null],
      ],
    },
  },
  delete_dns: {
    details: {
      hash: "00000000000000000000000000000000000000000000000000000000000000ab",
      source: ann,
      asset: item,
      nft_collection: collection,
    },
    text: "<img src=x onerror=alert(1)> deleted a record of Long name Long name Long name Lo…",
    icon: "domain",
    title: "Domain record deleted",
    values: [],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["asset", item, "Long name Long name Long name Lo…"],
    ],
    failed: {
      failure: ownCode,
      text: "Failed: <img src=x onerror=alert(1)> deleted a record of Long name Long name Long name Lo…; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
      accounts: [
        ["source", ann, "<img src=x onerror=alert(1)>"],
        ["asset", item, "Long name Long name Long name Lo…"],
        ["failed", pool, null],
      ],
    },
  },
  renew_dns: {
    details: { source: ann, asset: item, nft_collection: collection },
    text: "<img src=x onerror=alert(1)> renewed Long name Long name Long name Lo…",
    icon: "domain",
    title: "Domain renewed",
    values: [],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["asset", item, "Long name Long name Long name Lo…"],
    ],
    failed: {
      failure: outOfGas,
      text: "Failed: <img src=x onerror=alert(1)> renewed Long name Long name Long name Lo…; EQDMzM…zDA5 failed in the compute phase with exit code -14 (out of gas)",
      accounts: [
        ["source", ann, "<img src=x onerror=alert(1)>"],
        ["asset", item, "Long name Long name Long name Lo…"],
        ["failed", pool, null],
      ],
    },
  },
  dns_purchase: {
    details: {
      nft_item: item,
      nft_collection: collection,
      nft_item_index: "5",
      new_owner: ben,
      price: "700000000000",
      query_id: "0",
      payout_amount: "700000000000",
    },
    text: "ben��.ton {amount:TON} bought Long name Long name Long name Lo… for 700 TON",
    icon: "domain",
    title: "Domain purchase",
    values: [["price", "700000000000", null, "TON", 9, "700 TON"]],
    accounts: [
      ["new_owner", ben, "ben��.ton {amount:TON}"],
      ["nft_item", item, "Long name Long name Long name Lo…"],
    ],
    failed: {
      failure: ownCode,
      text: "Failed: ben��.ton {amount:TON} bought Long name Long name Long name Lo… for 700 TON; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
      accounts: [
        ["new_owner", ben, "ben��.ton {amount:TON}"],
        ["nft_item", item, "Long name Long name Long name Lo…"],
        ["failed", pool, null],
      ],
    },
  },
  dns_release: {
    details: {
      query_id: "0",
      source: ann,
      nft_item: item,
      nft_collection: collection,
      nft_item_index: "5",
      value: "105000000000",
    },
    text: "<img src=x onerror=alert(1)> put Long name Long name Long name Lo… up for auction again, as it had expired, with a first bid of 105 TON",
    icon: "domain",
    title: "Expired domain released",
    values: [["value", "105000000000", null, "TON", 9, "105 TON"]],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["nft_item", item, "Long name Long name Long name Lo…"],
    ],
    failed: {
      failure: ownCode,
      text: "Failed: <img src=x onerror=alert(1)> put Long name Long name Long name Lo… up for auction again, as it had expired, with a first bid of 105 TON; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
      accounts: [
        ["source", ann, "<img src=x onerror=alert(1)>"],
        ["nft_item", item, "Long name Long name Long name Lo…"],
        ["failed", pool, null],
      ],
    },
  },
};
