import SQL from "sql-template-tag";
import type { Queries } from "../database.js";
import { columnsOf, object } from "../declare/record.js";
import { jettonMasters, jettonWallets } from "../tables/jettons.js";
import { nftCollections, nftItems } from "../tables/nfts.js";
import { keyList } from "../where.js";
import { selectRecords } from "./rows.js";

const w = columnsOf("w", jettonWallets.columns);
const walletRecord = object({ address: w.address, balance: w.balance, owner: w.owner, jetton: w.jetton });
const m = columnsOf("m", jettonMasters.columns);
const masterRecord = object({ address: m.address, content: m.jetton_content });

const c = columnsOf("c", nftCollections.columns);
const collectionRecord = object({ address: c.address, content: c.collection_content });

const i = columnsOf("i", nftItems.columns);
const itemRecord = object({ address: i.address, index: i.index, content: i.content });

/** What metadata is made of, per kind of token. */
export type Tokens = {
  jettonWallets: ReturnType<typeof walletRecord.present>[];
  jettonMasters: ReturnType<typeof masterRecord.present>[];
  nftCollections: ReturnType<typeof collectionRecord.present>[];
  nftItems: ReturnType<typeof itemRecord.present>[];
};

/** Those of the accounts that are tokens, and the masters of their jetton wallets: primary keys. */
export async function readTokens(queries: Queries, accounts: readonly Uint8Array[]): Promise<Tokens> {
  const wanted = SQL`select unnest(${keyList("bytea", accounts)})`;
  return {
    jettonWallets: await selectRecords(
      queries,
      walletRecord,
      SQL`jetton_wallets w where w.address in (${wanted}) and not w.destroyed`,
    ),
    jettonMasters: await selectRecords(
      queries,
      masterRecord,
      SQL`jetton_masters m where not m.destroyed and m.address in (
        ${wanted} union select jetton from jetton_wallets where address in (${wanted}) and not destroyed)`,
    ),
    nftCollections: await selectRecords(
      queries,
      collectionRecord,
      SQL`nft_collections c where c.address in (${wanted}) and not c.destroyed`,
    ),
    nftItems: await selectRecords(
      queries,
      itemRecord,
      SQL`nft_items i where i.address in (${wanted}) and not i.destroyed`,
    ),
  };
}
