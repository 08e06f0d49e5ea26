import SQL, { join, raw } from "sql-template-tag";
import type { Queries } from "../database.js";
import { columnsOf, object, textOf } from "../declare/record.js";
import { jettonMasters, jettonWallets } from "../tables/jettons.js";
import { nftCollections, nftItems } from "../tables/nfts.js";
import { type Fragment, keyList } from "../where.js";

const w = columnsOf("w", jettonWallets.columns);
const walletRecord = object({ address: w.address, balance: w.balance, owner: w.owner, jetton: w.jetton });
const m = columnsOf("m", jettonMasters.columns);
const masterRecord = object({ address: m.address, content: m.jetton_content });

const c = columnsOf("c", nftCollections.columns);
const collectionRecord = object({ address: c.address, content: c.collection_content });

const i = columnsOf("i", nftItems.columns);
const itemRecord = object({ address: i.address, index: i.index, content: i.content });

const records = {
  jettonWallets: walletRecord,
  jettonMasters: masterRecord,
  nftCollections: collectionRecord,
  nftItems: itemRecord,
};
type Kind = keyof typeof records;

/** What metadata is made of, per kind of token. */
export type Tokens = { [K in Kind]: ReturnType<(typeof records)[K]["present"]>[] };

/** Those of the accounts that are tokens, and the masters of their jetton wallets, in one statement: primary keys. */
export async function readTokens(queries: Queries, accounts: readonly Uint8Array[]): Promise<Tokens> {
  const wanted = SQL`select unnest(${keyList("bytea", accounts)})`;
  const sources: Record<Kind, Fragment> = {
    jettonWallets: SQL`jetton_wallets w where w.address in (${wanted}) and not w.destroyed`,
    jettonMasters: SQL`jetton_masters m where not m.destroyed and m.address in (
      ${wanted} union select jetton from jetton_wallets where address in (${wanted}) and not destroyed)`,
    nftCollections: SQL`nft_collections c where c.address in (${wanted}) and not c.destroyed`,
    nftItems: SQL`nft_items i where i.address in (${wanted}) and not i.destroyed`,
  };
  const kinds = Object.keys(records) as Kind[];
  const rows = await queries.query<{ kind: Kind; text: string }>(
    join(
      kinds.map(
        (kind) =>
          SQL`select ${raw(`'${kind}'`)} as kind, ${raw(textOf(records[kind]))} as text from ${sources[kind]}`,
      ),
      " union all ",
    ),
  );
  const tokens: Record<Kind, unknown[]> = {
    jettonWallets: [],
    jettonMasters: [],
    nftCollections: [],
    nftItems: [],
  };
  for (const { kind, text } of rows) tokens[kind].push(JSON.parse(text));
  // Each text was made by the record of its kind.
  return tokens as Tokens;
}
