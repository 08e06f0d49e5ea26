import { readNftCollection } from "../../contracts/nft.js";
import { flatContent } from "../../contracts/token-content.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { tables } from "../../store/tables.js";
import { detector } from "./detector.js";

export const nftCollection = detector({
  table: tables.nftCollections,
  needs: ["get_collection_data"],
  async read(methods, address) {
    const { nextItemIndex, owner, content } = await readNftCollection(methods, address);
    return {
      next_item_index: nextItemIndex,
      owner_address: owner && addressToBytes(owner),
      collection_content: flatContent(content),
    };
  },
});
