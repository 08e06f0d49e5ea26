import SQL, { raw } from "sql-template-tag";
import { itemAt } from "../../../../shared/values/lookups.js";
import { rawAddressFromBytes, rawAddressToBytes } from "../../address-bytes.js";
import { codeOf } from "../../codes.js";
import type { Queries, Transaction } from "../../database.js";
import { lockForTransaction } from "../../sql/locks.js";
import { type LinkingToken, linkingTokens } from "../../tables/metadata.js";

/** A link to metadata of a token; `address` is raw. */
export type TokenLink = { address: string; type: LinkingToken; url: string };

/** A link that this process may fetch until the claim ends, and how often that was tried, this time included. */
export type ClaimedLink = TokenLink & { tries: number };

/** Members of fetched metadata; texts and `extra` have no zero characters, which PostgreSQL cannot store. */
export type FetchedMetadata = {
  name?: string;
  symbol?: string;
  description?: string;
  image?: string;
  extra: Readonly<Record<string, unknown>>;
};

/** Queues links that were not fetched yet, have expired, or are new links of known tokens. `now` in Unix milliseconds. */
export async function queueLinks(queries: Queries, links: readonly TokenLink[], now: number): Promise<void> {
  const wanted = SQL`unnest(
      ${links.map(({ address }) => rawAddressToBytes(address))}::bytea[],
      ${links.map(({ type }) => codeOf(linkingTokens, type))}::smallint[], ${links.map(({ url }) => url)}::text[]
    ) wanted(address, type, url)`;
  // Both in key order, so that concurrent writers cannot deadlock.
  await queries.query(SQL`
    insert into address_metadata (address, type, url, tries, next_try_at)
    select address, type, url, 0, 0 from ${wanted} order by address, type
    on conflict do nothing`);
  // By itself: Citus loses the parameters behind `on conflict`.
  await queries.query(SQL`
    update address_metadata m set url = due.url, tries = 0, next_try_at = 0, error = null, ${keptOfSameUrl}
    from (
      select stored.address, stored.type, wanted.url
      from ${wanted} join address_metadata stored using (address, type)
      where stored.url <> wanted.url or (stored.expires_at <= ${now} and stored.next_try_at is null)
      order by address, type for update of stored) due
    where (m.address, m.type) = (due.address, due.type)`);
}

/** A row keeps what was fetched while its link is the same, and loses it with another link. */
const keptOfSameUrl = raw(
  ["valid", "name", "symbol", "description", "image", "extra", "expires_at"]
    .map((column) => `${column} = case when m.url = due.url then m.${column} end`)
    .join(", "),
);

/**
 * Claims links that are due, those that answers need first: address_metadata_to_fetch. Until `claimEndsAt` no other
 * process gets them; a process that is killed loses its claims then.
 */
export async function claimLinks(
  queries: Queries,
  { now, claimEndsAt, limit }: { now: number; claimEndsAt: number; limit: number },
): Promise<ClaimedLink[]> {
  const rows = await queries.query<{ address: Uint8Array; type: number; url: string; tries: number }>(SQL`
    update address_metadata m set tries = m.tries + 1, next_try_at = ${claimEndsAt}
    from (
      select address, type from address_metadata where next_try_at <= ${now}
      order by next_try_at limit ${limit} for update skip locked) due
    where (m.address, m.type) = (due.address, due.type)
    returning m.address, m.type, m.url, m.tries`);
  return rows.map(({ address, type, ...rest }) => ({
    address: rawAddressFromBytes(address),
    type: itemAt(linkingTokens, type),
    ...rest,
  }));
}

/** A link that is due at `at`. */
export type PostponedLink = { link: ClaimedLink; at: number };

/** Takes claims back without counting them as tries. */
export async function postponeLinks(queries: Queries, postponed: readonly PostponedLink[]): Promise<void> {
  const links = postponed.map(({ link }) => link);
  await queries.query(SQL`
    update address_metadata m set tries = m.tries - 1, next_try_at = due.at
    from unnest(
      ${links.map(({ address }) => rawAddressToBytes(address))}::bytea[],
      ${links.map(({ type }) => codeOf(linkingTokens, type))}::smallint[], ${links.map(({ url }) => url)}::text[],
      ${links.map(({ tries }) => tries)}::smallint[], ${postponed.map(({ at }) => at)}::bigint[]
    ) due(address, type, url, tries, at)
    where (m.address, m.type, m.url, m.tries) = (due.address, due.type, due.url, due.tries)`);
}

/** Notes a failed try; the next one is due at `at`. */
export async function retryLink(
  queries: Queries,
  link: ClaimedLink,
  { error, at }: { error: string; at: number },
): Promise<void> {
  await queries.query(SQL`
    update address_metadata set error = ${error}, next_try_at = ${at} where ${isClaimed(link)}`);
}

/** Stores what a fetch ended with: metadata, or why there is none. */
export async function storeFetched(
  queries: Queries,
  link: ClaimedLink,
  { result, expiresAt }: { result: FetchedMetadata | { error: string }; expiresAt: number },
): Promise<void> {
  const error = "error" in result ? result.error : null;
  const {
    name = null,
    symbol = null,
    description = null,
    image = null,
    extra = null,
  } = "error" in result ? {} : result;
  await queries.query(SQL`
    update address_metadata set
      valid = ${error === null}, error = ${error}, expires_at = ${expiresAt}, next_try_at = null, tries = 0,
      name = ${name}, symbol = ${symbol}, description = ${description}, image = ${image}, extra = ${extra}
    where ${isClaimed(link)}`);
}

/** A claim that has ended leaves the row alone: another process fetches it, or the contract has another link. */
function isClaimed({ address, type, url, tries }: ClaimedLink) {
  return SQL`address = ${rawAddressToBytes(address)} and type = ${codeOf(linkingTokens, type)} and url = ${url}
    and tries = ${tries}`;
}

/** The operator's metadata of a token; `address` is raw. */
export type TokenFlags = {
  address: string;
  isNsfw: boolean;
  isScam: boolean;
  fields: Readonly<Record<string, unknown>>;
};

/** Makes these the only flags. */
export async function replaceFlags(transaction: Transaction, flags: readonly TokenFlags[]): Promise<void> {
  await lockForTransaction(transaction, "flags");
  await transaction.query(SQL`delete from address_metadata_flags`);
  await transaction.query(SQL`
    insert into address_metadata_flags (address, is_nsfw, is_scam, fields)
    select * from unnest(${flags.map(({ address }) => rawAddressToBytes(address))}::bytea[],
      ${flags.map(({ isNsfw }) => isNsfw)}::boolean[], ${flags.map(({ isScam }) => isScam)}::boolean[],
      ${flags.map(({ fields }) => JSON.stringify(fields))}::jsonb[])`);
}
