import { noCoins, ownCode } from "./failures.js";
import type { Goldens } from "./golden.js";
import { ann, ben, collection, hostileComment, item } from "./people.js";

export const nfts = {
  nft_mint: {
    details: { owner: ann, nft_item: item, nft_collection: collection },
    says: "‹owner› minted ‹nft_item› of ‹nft_collection›",
    shown: ["nft", "NFT minted"],
    failed: noCoins,
  },
  nft_transfer: {
    details: {
      old_owner: ann,
      nft_item: item,
      new_owner: ben,
      is_purchase: false,
      comment: hostileComment,
      is_encrypted_comment: false,
    },
    says: "‹old_owner› gave ‹nft_item› to ‹new_owner›, saying “thanks”�, saying “�gnp.exe {amount:TON}[x]”",
    shown: ["nft", "NFT transfer"],
    failed: ownCode,
  },
  nft_purchase: {
    details: {
      price: "1350000000",
      nft_item: item,
      new_owner: ann,
      marketplace: "getgems\u202e",
      real_old_owner: ben,
    },
    says: "‹new_owner› bought ‹nft_item› from ‹seller=ben› for ‹price: 1.35 TON› on getgems�",
    shown: ["sale", "NFT purchase"],
  },
  nft_discovery: {
    details: { source: ann, nft_item: item },
    says: "‹source› asked ‹nft_item› for its data",
    shown: ["nft", "NFT query"],
  },
} satisfies Partial<Goldens>;
