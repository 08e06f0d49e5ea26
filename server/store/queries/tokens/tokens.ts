import SQL, { join, raw } from "sql-template-tag";
import { codeOf } from "../../codes.js";
import { columnsOf, ifPresent, object, textOf } from "../../declare/record.js";
import type { Table } from "../../declare/table.js";
import { fixedText } from "../../sql/fixed-text.js";
import { code, type Fragment, keyList } from "../../sql/where.js";
import { accountKinds } from "../../tables/accounts.js";
import { isUnnoted } from "../../tables/all-tables.js";
import { jettonMasters, jettonWallets } from "../../tables/jettons.js";
import { describedMembers, type LinkingToken, linkingTokens } from "../../tables/metadata.js";
import { nftCollections, nftItems } from "../../tables/nfts.js";

const w = columnsOf("w", jettonWallets.columns);
const m = columnsOf("m", jettonMasters.columns);
const c = columnsOf("c", nftCollections.columns);
const i = columnsOf("i", nftItems.columns);

/** Keyed by the type that answers name. */
const records = {
  jetton_wallets: object({ address: w.address, balance: w.balance, owner: w.owner, jetton: w.jetton }),
  jetton_masters: object(
    { address: m.address, content: m.jetton_content },
    {
      ...describedMembers,
      scaled_ui: ifPresent(
        m.display_numerator,
        object({ numerator: m.display_numerator, denominator: m.display_denominator }),
      ),
    },
  ),
  nft_collections: object({ address: c.address, content: c.collection_content }, describedMembers),
  nft_items: object({ address: i.address, index: i.index, content: i.content }, describedMembers),
};
type Kind = keyof typeof records;
const kinds = Object.keys(records) as Kind[];

/** Parts of metadata, per kind of token. */
export type Tokens = { [K in Kind]: ReturnType<(typeof records)[K]["present"]>[] };

/** The text of a record of its kind. */
export type TokenRow = { kind: Kind; text: string };

/** The tokens of rows, by kind, in the order of the rows. */
export function parseTokens(rows: readonly TokenRow[]): Tokens {
  const tokens: Record<Kind, unknown[]> = {
    jetton_wallets: [],
    jetton_masters: [],
    nft_collections: [],
    nft_items: [],
  };
  for (const { kind, text } of rows) tokens[kind].push(JSON.parse(text));
  // Each text was made by the record of its kind.
  return tokens as Tokens;
}

const gatheredKinds = kinds.filter(isUnnoted);

type Accounts = { accounts: readonly Uint8Array[] };

/** Accounts that are tokens, and the masters of their jetton wallets: account_kinds_by_account, then primary keys. */
export const tokenStatement = fixedText<Accounts>(({ accounts }) => tokenRows(keyList("bytea", accounts)));
/** The same where the rows of wallets and items were gathered. */
export const gatheredTokenStatement = fixedText<Accounts>(({ accounts }) =>
  tokenRows(keyList("bytea", accounts), gatheredKinds),
);

/** Rows `TokenRow` of a list of accounts. A table is searched for accounts that have been in it, or whose rows were gathered. */
export function tokenRows(accounts: Fragment, gathered: readonly Kind[] = []): Fragment {
  const of = (kind: Kind) => SQL`select account from kinds where kind = ${code(accountKinds, kind)}`;
  const selected: Record<Kind, Fragment> = {
    jetton_wallets: SQL`own_wallets w`,
    jetton_masters: SQL`jetton_masters m ${described("jetton_masters", "m.address", "m.jetton_content")}
      where not m.destroyed and m.address in (${of("jetton_masters")} union select jetton from own_wallets)`,
    nft_collections: SQL`nft_collections c ${described("nft_collections", "c.address", "c.collection_content")}
      where c.address in (${of("nft_collections")}) and not c.destroyed`,
    nft_items: SQL`nft_items i ${described("nft_items", "i.address", "i.content")}
      where i.address in (${of("nft_items")}) and not i.destroyed`,
  };
  const each = kinds.map(
    (kind) =>
      SQL`select ${raw(`'${kind}'`)} as kind, ${raw(textOf(records[kind]))} as text from ${selected[kind]}`,
  );
  return SQL`
    with kinds as materialized (${kindsOf(accounts, gathered)}),
    own_wallets as materialized (
      select * from jetton_wallets where address in (${of("jetton_wallets")}) and not destroyed)
    ${join(each, " union all ")}`;
}

/** The kinds of accounts. */
function kindsOf(accounts: Fragment, gathered: readonly Kind[]): Fragment {
  const noted = SQL`select account, kind from unnest(${accounts}) account join account_kinds using (account)`;
  const others = gathered.map(
    (kind) => SQL`select address, ${code(accountKinds, kind)} from ${raw(kind)}
      where address in (select unnest(${accounts}))`,
  );
  return join([noted, ...others], " union all ");
}

const sources: { readonly [K in Kind]: { table: Table; alias: string } } = {
  jetton_wallets: { table: jettonWallets, alias: "w" },
  jetton_masters: { table: jettonMasters, alias: "m" },
  nft_collections: { table: nftCollections, alias: "c" },
  nft_items: { table: nftItems, alias: "i" },
};

/** The same of rows that are in no table; those of other tables are left out. */
export function tokensOf(rows: readonly { table: Table; row: object }[]): Tokens {
  const presented = kinds.map((kind) => {
    const { table, alias } = sources[kind];
    const own = rows.filter((each) => each.table === table);
    return [kind, own.map(({ row }) => records[kind].present({ [alias]: row } as never))];
  });
  // Each was made by the record of its kind.
  return Object.fromEntries(presented) as Tokens;
}

/** Joins what was fetched from the link that the contract has now, and what the operator says. */
function described(type: LinkingToken, address: string, content: string): Fragment {
  return raw(`
    left join address_metadata f
      on f.address = ${address} and f.type = ${codeOf(linkingTokens, type)} and f.url = ${content} ->> 'uri'
    left join address_metadata_flags g on g.address = ${address}`);
}
