import { ownCode } from "./failures.js";
import type { Goldens } from "./golden.js";
import { ann, item } from "./people.js";

export const sales = {
  nft_put_on_sale: {
    details: { nft_item: item, owner: ann, full_price: "1350000000", marketplace: "getgems" },
    says: "‹owner› put ‹nft_item› up for sale for ‹full_price: 1.35 TON› on getgems",
    shown: ["sale", "NFT put on sale"],
  },
  nft_cancel_sale: {
    details: { owner: ann, nft_item: item, marketplace: "getgems\u202e" },
    says: "‹owner› took ‹nft_item› off sale on getgems�",
    shown: ["sale", "Sale cancelled"],
  },
  nft_update_sale: {
    details: { source: ann, nft_address: item, marketplace: "getgems\u202e", full_price: "120000000000" },
    says: "‹source› changed the price of ‹nft_address› to ‹full_price: 120 TON› on getgems�",
    shown: ["sale", "Price changed"],
    failed: ownCode,
  },
} satisfies Partial<Goldens>;
