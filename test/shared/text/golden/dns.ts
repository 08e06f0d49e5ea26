import { outOfGas, ownCode } from "./failures.js";
import type { Goldens } from "./golden.js";
import { ann, ben, hostileComment, item } from "./people.js";

export const dns = {
  change_dns: {
    details: {
      source: ann,
      asset: item,
      value: {
        sum_type: "DNSText",
        dns_smc_address: null,
        dns_adnl_address: null,
        dns_text: hostileComment,
        dns_next_resolver_address: null,
      },
    },
    says: "‹source› set the text of ‹asset› to “thanks”�, saying “�gnp.exe {amount:TON}[x]”",
    shown: ["domain", "Domain record set"],
    failed: ownCode,
  },
  delete_dns: {
    details: { source: ann, asset: item },
    says: "‹source› deleted a record of ‹asset›",
    shown: ["domain", "Domain record deleted"],
    failed: ownCode,
  },
  renew_dns: {
    details: { source: ann, asset: item },
    says: "‹source› renewed ‹asset›",
    shown: ["domain", "Domain renewed"],
    failed: outOfGas,
  },
  dns_purchase: {
    details: { nft_item: item, new_owner: ben, price: "700000000000" },
    says: "‹new_owner› bought ‹nft_item› for ‹price: 700 TON›",
    shown: ["domain", "Domain purchase"],
    failed: ownCode,
  },
  dns_release: {
    details: { source: ann, nft_item: item, value: "105000000000" },
    says: "‹source› put ‹nft_item› up for auction again, as it had expired, with a first bid of ‹value: 105 TON›",
    shown: ["domain", "Expired domain released"],
    failed: ownCode,
  },
} satisfies Partial<Goldens>;
