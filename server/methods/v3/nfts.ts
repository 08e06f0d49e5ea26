import type { Handlers } from "../../../shared/methods/define.js";
import type { nftMethods } from "../../../shared/methods/v3/nfts.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { listRecords } from "../../store/queries/rows.js";
import { nftCollectionRecord, nftCollections } from "../../store/tables/nfts.js";
import { withExtras } from "./answer-extras.js";
import type { IndexDeps } from "./deps.js";

const collections = { table: nftCollections, alias: "c", record: nftCollectionRecord };

export const nftHandlers: Handlers<typeof nftMethods, IndexDeps> = {
  nft: {
    collections: ({ collection_address, owner_address, ...page }, { index, book }, call) =>
      index.read(call, async (queries) => {
        const nft_collections = await listRecords(queries, collections, {
          where: {
            address: collection_address?.map(addressToBytes),
            owner_address: owner_address?.map(addressToBytes),
            destroyed: false,
          },
          order: [
            ["first_seen_lt", "asc"],
            ["address", "asc"],
          ],
          page,
        });
        const shown = nft_collections.flatMap((each) => [each.address, each.owner_address]);
        return withExtras({ nft_collections }, shown, { queries, call, book });
      }),
  },
};
