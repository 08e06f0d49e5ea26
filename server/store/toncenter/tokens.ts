import SQL, { empty, join, raw } from "sql-template-tag";
import { rawAddressToBytes } from "../address-bytes.js";
import { queryExtras } from "../queries/accounts/account-extras.js";
import type { IndexReads } from "../reads/index-reads.js";
import type { Fragment } from "../sql/where.js";
import type { LinkingToken } from "../tables/metadata.js";
import { bookStatement } from "./accounts.js";
import { accountValues } from "./values.js";

/** Whether the database has the flags of tokens, which its earlier versions lack. */
export type TokenOptions = { hasFlags: boolean };

/** The table of a kind of token, the column with its contract's content, and other members. */
type Source = { kind: LinkingToken; content: string; more?: string };

const sources: readonly Source[] = [
  { kind: "jetton_masters", content: "jetton_content" },
  { kind: "nft_collections", content: "collection_content" },
  { kind: "nft_items", content: "content", more: ", 'index', x.index::text" },
];

export function tokenReads({
  hasFlags,
}: TokenOptions): Pick<IndexReads, "readExtras" | "readMarketplaceNames"> {
  return {
    readExtras: (queries, accounts, kinds, options) =>
      queryExtras(
        queries,
        accounts,
        kinds,
        { book: bookStatement, tokens: () => rowsOf(accounts, hasFlags) },
        options,
      ),

    async readMarketplaceNames(queries, addresses) {
      const keys = accountValues(addresses.map(rawAddressToBytes));
      const rows = await queries.query<{ address: string; name: string }>(SQL`
        select address::text as address, name from marketplace_names where address = any(${keys})`);
      return new Map(rows.map(({ address, name }) => [address, name]));
    },
  };
}

/** The accounts that are tokens, and the masters of their jetton wallets: primary keys. */
function rowsOf(accounts: readonly Uint8Array[], hasFlags: boolean): Fragment {
  const keys = accountValues(accounts);
  const linking = sources.map((source) => {
    const isMaster = source.kind === "jetton_masters";
    const others = isMaster ? SQL`union select jetton from own_wallets` : empty;
    return SQL`${described(source, hasFlags)} where x.address in (select unnest(${keys}) ${others})`;
  });
  return SQL`
    with own_wallets as materialized (select * from jetton_wallets where address = any(${keys}))
    select 'jetton_wallets' as kind, json_build_object(
      'address', address::text, 'balance', balance::text, 'owner', owner::text, 'jetton', jetton::text)::text as text
    from own_wallets
    union all ${join(linking, " union all ")}`;
}

/** Records of tokens `x` with the metadata that TON Center has fetched. */
function described({ kind, content, more = "" }: Source, hasFlags: boolean): Fragment {
  const flags = `case when g.address is null then '{}'::jsonb else jsonb_build_object('flags', jsonb_build_object(
    'is_nsfw', coalesce(g.is_nsfw, false), 'is_scam', coalesce(g.is_scam, false), 'fields', '{}'::jsonb)) end`;
  return raw(`
    select '${kind}' as kind, (
      jsonb_build_object('address', x.address::text, 'content', coalesce(x.${content}, '{}')${more})
      || case when f.address is null then '{}'::jsonb else jsonb_build_object('fetched',
        jsonb_strip_nulls(jsonb_build_object(
          'url', coalesce(x.${content} ->> 'uri', ''), 'valid', f.valid, 'name', f.name, 'symbol', f.symbol,
          'description', f.description, 'image', f.image))
        || jsonb_build_object('extra', coalesce(f.extra, '{}'))) end
      ${hasFlags ? `|| ${flags}` : ""})::text as text
    from ${kind} x
    left join address_metadata f on f.address = x.address::text and f.type = '${kind}'
    ${hasFlags ? "left join address_metadata_flags g on g.address = x.address::text" : ""}`);
}
