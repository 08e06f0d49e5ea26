import SQL, { join, raw } from "sql-template-tag";
import { codeOf } from "../../codes.js";
import type { Queries } from "../../database.js";
import { type Fragment, plannedOnce } from "../../sql/where.js";
import { type LinkingToken, linkingTokens } from "../../tables/metadata.js";
import { besideRows, type GatheredRows } from "../cluster/beside-rows.js";
import { gatheredByKey, gatheredColumns } from "../cluster/gathered-rows.js";

/** Tokens that have names, in the order in which equal matches are listed. */
const namedTokens = ["jetton", "nft_collection", "domain", "nft_item"] as const;
type NamedToken = (typeof namedTokens)[number];

/** A token that was found; `address` is raw. */
export type FoundToken = {
  kind: NamedToken;
  address: string;
  name: string | null;
  symbol: string | null;
  /** Raw address of the account that a domain names. */
  wallet: string | null;
  is_scam: boolean;
  /** Whether the whole name, symbol or first part of the domain was searched for. */
  is_exact: boolean;
};

/**
 * Tokens whose name, symbol or domain begins with a text, in any case: the indexes `_by_name` and `_by_symbol` of tokens, of
 * fetched metadata and of the operator's flags, and dns_entries_by_domain. Each gives twice the rows of the page, so that
 * flagged tokens can be listed last, and that many tokens of one name cost no more than few.
 */
export async function searchTokens(
  queries: Queries,
  text: string,
  { limit }: { limit: number },
): Promise<FoundToken[]> {
  const searched = { text, candidates: 2 * limit };
  const found = [
    ...tokenSources.flatMap((source) => [
      ...source.attributes.flatMap((attribute) => [
        ownNames(source, attribute, searched),
        tokensOf(source, fetchedNames(source, attribute, searched)),
      ]),
      tokensOf(source, operatorsNames(searched)),
    ]),
    domainsLike(searched),
  ];
  const near = await besideRows(queries, () => gatheredItems(queries, searched));
  const lower = SQL`lower(${text})`;
  const isWanted = SQL`exists (
    select from unnest(t.names) each(name) where starts_with(lower(each.name collate "default"), ${lower}))`;
  const isExact = SQL`exists (
    select from unnest(t.names || t.first_part) each(name) where lower(each.name collate "default") = ${lower})`;
  return near.query<FoundToken>(
    plannedOnce(SQL`
      select * from (
        select ${columns}, ${isExact} as is_exact, t.place, t.first_seen_lt, t.address as key
        from ${tokensAmong(found)} where ${isWanted}) listed
      order by is_scam, is_exact desc, place, first_seen_lt, key limit ${limit}`),
  );
}

/** The tokens that an account is: primary keys. */
export async function tokensAt(queries: Queries, account: Uint8Array): Promise<FoundToken[]> {
  const near = await besideRows(queries, () => [gatheredByKey("o", [account])]);
  const isAccount = SQL`address = ${account} and not destroyed`;
  const found = [
    ...tokenSources.map(
      (source) => SQL`select ${rowOf(source)} from ${raw(source.table)} c where ${isAccount}`,
    ),
    SQL`select ${domainRow} from dns_entries c where ${isAccount}`,
  ];
  return near.query<FoundToken>(
    plannedOnce(SQL`select ${columns}, false as is_exact from ${tokensAmong(found)} order by t.place`),
  );
}

type TokenSource = {
  kind: Exclude<NamedToken, "domain">;
  table: string;
  type: LinkingToken;
  content: string;
  attributes: readonly ("name" | "symbol")[];
};

const items: TokenSource = {
  kind: "nft_item",
  table: "nft_items",
  type: "nft_items",
  content: "content",
  attributes: ["name"],
};

const tokenSources: readonly TokenSource[] = [
  {
    kind: "jetton",
    table: "jetton_masters",
    type: "jetton_masters",
    content: "jetton_content",
    attributes: ["name", "symbol"],
  },
  {
    kind: "nft_collection",
    table: "nft_collections",
    type: "nft_collections",
    content: "collection_content",
    attributes: ["name"],
  },
  items,
];

/** Columns of a row `c` that all kinds of tokens have. */
function rowOf({ kind, type, content }: TokenSource): Fragment {
  return raw(`${codeOf(namedTokens, kind)} as place, ${codeOf(linkingTokens, type)}::smallint as type, c.address,
    c.first_seen_lt, c.${content} as content, null::bytea as wallet`);
}

const domainRow = raw(`${codeOf(namedTokens, "domain")} as place, null::smallint as type, c.address,
  c.first_seen_lt, jsonb_build_object('name', c.domain) as content, c.dns_wallet as wallet`);

type Searched = { text: string; candidates: number };

function ownNames(source: TokenSource, attribute: string, searched: Searched): Fragment {
  return SQL`(select ${rowOf(source)} from (${firstNames(source, attribute, searched)}) c)`;
}

/** The first tokens whose contracts give them such a name. */
function firstNames({ table, content }: TokenSource, attribute: string, searched: Searched): Fragment {
  const name = `c.${content} ->> '${attribute}'`;
  return SQL`
    select * from ${raw(table)} c where not c.destroyed and ${beginsWith(name, searched)}
    order by ${keyOf(name)}, c.first_seen_lt, c.address limit ${searched.candidates}`;
}

/** Addresses with such fetched metadata. The contract may have another link by now: `tokensAmong` compares it. */
function fetchedNames({ type }: TokenSource, attribute: string, searched: Searched): Fragment {
  const name = `f.${attribute}`;
  return SQL`
    select f.address from address_metadata f
    where f.type = ${raw(String(codeOf(linkingTokens, type)))} and f.valid and ${beginsWith(name, searched)}
    order by ${keyOf(name)}, f.address limit ${searched.candidates}`;
}

/** Addresses with such flags. */
function operatorsNames(searched: Searched): Fragment {
  const name = "g.fields ->> 'name'";
  return SQL`
    select g.address from address_metadata_flags g where ${beginsWith(name, searched)}
    order by ${keyOf(name)}, g.address limit ${searched.candidates}`;
}

/** The items that a search may find: the first ones of each shard, and those with other names. */
async function gatheredItems(queries: Queries, searched: Searched): Promise<GatheredRows[]> {
  const named = await queries.query<{ address: Uint8Array }>(SQL`
    (${fetchedNames(items, "name", searched)}) union (${operatorsNames(searched)})`);
  return [
    { ...gatheredColumns("o", SQL`(${firstNames(items, "name", searched)}) o`), isAlone: true },
    gatheredByKey(
      "o",
      named.map(({ address }) => address),
    ),
  ];
}

function tokensOf(source: TokenSource, addresses: Fragment): Fragment {
  return SQL`(
    select ${rowOf(source)} from (${addresses}) wanted cross join lateral (
      select * from ${raw(source.table)} where address = wanted.address and not destroyed offset 0) c)`;
}

function domainsLike({ text, candidates }: Searched): Fragment {
  return SQL`(
    select ${domainRow} from dns_entries c
    where not c.destroyed and c.domain >= lower(${text}) and c.domain < lower(${text}) || ${lastCharacter}
    order by c.domain, c.address limit ${candidates})`;
}

function beginsWith(name: string, { text }: Searched): Fragment {
  const key = keyOf(name);
  return SQL`${raw(name)} is not null and ${key} >= search_key(${text}) and ${key} < search_key(${text}) || ${lastCharacter}`;
}

function keyOf(name: string): Fragment {
  return raw(`search_key(${name}) collate "C"`);
}

/** Behind all texts with the same beginning, in the order of bytes. */
const lastCharacter = SQL`chr(1114111)`;

/** An item of a FROM list that yields found rows `t`, each once, with their names: those come first that win. */
function tokensAmong(found: readonly Fragment[]): Fragment {
  const jetton = codeOf(namedTokens, "jetton");
  const namesOf = (attribute: string) =>
    `array_remove(array[g.fields ->> '${attribute}', c.content ->> '${attribute}', f.${attribute}], null)`;
  const symbols = `case when c.place = ${jetton} then ${namesOf("symbol")} else '{}' end`;
  return SQL`(
    select c.*, ${raw(namesOf("name"))} || ${raw(symbols)} as names, ${raw(namesOf("name"))} as own_names,
      ${raw(symbols)} as symbols, coalesce(g.is_scam, false) as is_scam,
      case when c.type is null then split_part(c.content ->> 'name', '.', 1) end as first_part
    from (select distinct on (place, address) * from (${join(found, " union all ")}) every order by place, address) c
    left join address_metadata f
      on f.address = ${ifLinking} and f.type = c.type and f.url = c.content ->> 'uri' and f.valid
    left join address_metadata_flags g on g.address = c.address) t`;
}

/** Null without a link: indexes are not searched for it. */
const ifLinking = raw("case when c.content ->> 'uri' is not null then c.address end");

const columns = SQL`(${namedTokens}::text[])[t.place + 1] as kind, wire_address(t.address) as address, t.own_names[1] as name,
  t.symbols[1] as symbol, wire_address(t.wallet) as wallet, t.is_scam`;
