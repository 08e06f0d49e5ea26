import type { z } from "zod";
import type { nftItem } from "../../../shared/schema/v3-nfts.js";

/** All addresses in an item's record. */
export function addressesOfItem(item: z.output<typeof nftItem>): (string | null | undefined)[] {
  return [
    item.address,
    item.collection_address,
    item.owner_address,
    item.real_owner,
    item.sale_contract_address,
    item.auction_contract_address,
  ];
}
