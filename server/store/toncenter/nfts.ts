import SQL, { raw } from "sql-template-tag";
import type { Queries } from "../database.js";
import { selectJoined } from "../queries/rows.js";
import type { IndexReads } from "../reads/index-reads.js";
import { anyOf, type Fragment } from "../sql/where.js";
import { nftSaleRecord } from "../tables/nft-sale-records.js";
import { type NftItemRecord, nftCollectionRecord, nftItemRecord } from "../tables/nfts.js";
import { inOurForm, pageBy, readRows } from "./rows.js";
import { foreign } from "./tables.js";
import { accountBytes, accountValues } from "./values.js";

const { nftAuctions, nftCollections, nftItems, nftSales, telemintItems } = foreign;

/** Items with their collections, and the sales or auctions that own them; a sale wins. */
async function readItems(queries: Queries, list: Fragment): Promise<NftItemRecord[]> {
  const accounts = ["address", "owner_address", "collection_address"];
  const rows = await selectJoined(
    queries,
    { i: nftItems.columns },
    SQL`${inOurForm(
      nftItems,
      list,
      accounts.map((name) => `x.${name} as foreign_${name}`),
    )} i
      left join lateral ${inOurForm(nftCollections, SQL`where x.address = i.foreign_collection_address`)} c on true
      left join lateral ${inOurForm(
        nftSales,
        SQL`where x.address = i.foreign_owner_address and x.nft_address::text = i.foreign_address::text`,
      )} s on true
      left join lateral ${inOurForm(
        nftAuctions,
        SQL`where x.address = i.foreign_owner_address and x.nft_addr::text = i.foreign_address::text
          and s.address is null`,
      )} a on true
      order by i.place`,
    { outer: { c: nftCollections.columns, s: nftSales.columns, a: nftAuctions.columns } },
  );
  return rows.map((row) => nftItemRecord.present(row));
}

type NftReads = Pick<IndexReads, "listNftCollections" | "listNftItems" | "readNftItems" | "readNftSales">;

export const nftReads: NftReads = {
  async listNftCollections(queries, { addresses, owners }, page) {
    const by = [
      ["address", addresses],
      ["owner_address", owners],
    ] as const;
    const rows = await readRows(
      queries,
      nftCollections,
      pageBy(nftCollections, { by, order: raw("x.id"), page }),
    );
    return rows.map((c) => nftCollectionRecord.present({ c }));
  },

  listNftItems(queries, { addresses, owners, withSales, collections, indexes }, { sort, ...page }) {
    const list = pageBy(nftItems, {
      by: [
        ["address", addresses],
        [withSales ? "real_owner" : "owner_address", owners],
        ["collection_address", collections],
      ],
      where: [anyOf(indexes, (values) => SQL`x.index = any(${values.map(String)}::numeric[])`)],
      order: raw(`x.last_transaction_lt ${sort}, ${accountBytes("x.address")}`),
      page,
    });
    return readItems(queries, list);
  },

  readNftItems: (queries, addresses) =>
    readItems(queries, SQL`where x.address = any(${accountValues(addresses)})`),

  async readNftSales(queries, addresses) {
    const rows = await selectJoined(
      queries,
      {},
      SQL`unnest(${accountValues(addresses)}) with ordinality wanted(account, place)
        left join lateral ${inOurForm(nftSales, SQL`where x.address = wanted.account`)} s on true
        left join lateral ${inOurForm(nftAuctions, SQL`where x.address = wanted.account`)} a on true
        left join lateral ${inOurForm(
          telemintItems,
          SQL`where x.address = wanted.account and x.beneficiary_address is not null`,
        )} t on true
        where coalesce(s.address, a.address, t.address) is not null
        order by wanted.place`,
      { outer: { s: nftSales.columns, a: nftAuctions.columns, t: telemintItems.columns } },
    );
    return rows.map((row) => nftSaleRecord.present(row));
  },
};
