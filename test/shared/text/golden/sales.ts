import { ownCode } from "./failures.js";
import type { Goldens } from "./golden.js";
import { ann, collection, item, pool } from "./people.js";

export const sales: Goldens<"nft_put_on_sale" | "nft_cancel_sale" | "nft_update_sale"> = {
  nft_put_on_sale: {
    details: {
      nft_item: item,
      nft_collection: collection,
      owner: ann,
      listing_address: "0:AF9D7F5C94154C51766656842B4CA4CA1024BF010A5D61350766AF33EC179A82",
      marketplace_address: "0:DFD76B3ECBEFE4606D9CBFA7E7C41884B22D214A0C13560BB7EB10E65C11851F",
      nft_item_index: "5",
      sale_address: "0:1F7101FE71011BA0872A2E069E8F26C98D6AF9EBF8E67BB0C1A559FA9569AA6B",
      full_price: "1350000000",
      marketplace_fee: null,
      royalty_amount: null,
      marketplace_fee_address: "0:2BD806C97F0E00AF1A1FC3328FA763A9269723C8DB8FAC4F93AF71DB186D6E90",
      royalty_address: "0:81B637D8FCD2C6DA6359E6963113A1170DE795E4B725B84D1E0B4CFD9EC58CE9",
      marketplace: "getgems",
    },
    text: "<img src=x onerror=alert(1)> put Long name Long name Long name Lo… up for sale for 1.35 TON on getgems",
    icon: "sale",
    title: "NFT put on sale",
    values: [["full_price", "1350000000", null, "TON", 9, "1.35 TON"]],
    accounts: [
      ["owner", ann, "<img src=x onerror=alert(1)>"],
      ["nft_item", item, "Long name Long name Long name Lo…"],
    ],
    failed: null,
  },
  nft_cancel_sale: {
    details: {
      owner: ann,
      nft_item: item,
      nft_collection: collection,
      marketplace_address: "0:DFD76B3ECBEFE4606D9CBFA7E7C41884B22D214A0C13560BB7EB10E65C11851F",
      marketplace: "getgems\u202e",
      sale_address: "0:1F7101FE71011BA0872A2E069E8F26C98D6AF9EBF8E67BB0C1A559FA9569AA6B",
    },
    text: "<img src=x onerror=alert(1)> took Long name Long name Long name Lo… off sale on getgems�",
    icon: "sale",
    title: "Sale cancelled",
    values: [],
    accounts: [
      ["owner", ann, "<img src=x onerror=alert(1)>"],
      ["nft_item", item, "Long name Long name Long name Lo…"],
    ],
    failed: null,
  },
  nft_update_sale: {
    details: {
      source: ann,
      sale_contract: "0:1F7101FE71011BA0872A2E069E8F26C98D6AF9EBF8E67BB0C1A559FA9569AA6B",
      nft_address: item,
      marketplace_address: "0:DFD76B3ECBEFE4606D9CBFA7E7C41884B22D214A0C13560BB7EB10E65C11851F",
      marketplace: "getgems\u202e",
      full_price: "120000000000",
      marketplace_fee: "6000000000",
      royalty_amount: "12000000000",
    },
    text: "<img src=x onerror=alert(1)> changed the price of Long name Long name Long name Lo… to 120 TON on getgems�",
    icon: "sale",
    title: "Price changed",
    values: [["full_price", "120000000000", null, "TON", 9, "120 TON"]],
    accounts: [
      ["source", ann, "<img src=x onerror=alert(1)>"],
      ["nft_address", item, "Long name Long name Long name Lo…"],
    ],
    failed: {
      failure: ownCode,
      text: "Failed: <img src=x onerror=alert(1)> changed the price of Long name Long name Long name Lo… to 120 TON on getgems�; EQDMzM…zDA5 failed in the compute phase with exit code 4001",
      accounts: [
        ["source", ann, "<img src=x onerror=alert(1)>"],
        ["nft_address", item, "Long name Long name Long name Lo…"],
        ["failed", pool, null],
      ],
    },
  },
};
