import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";

/** A message as it is kept. Times are in ms. */
export type SentRow = {
  hash: Uint8Array;
  hash_norm: Uint8Array;
  boc: Uint8Array;
  sent_at: number;
  keep_until: number;
  is_void: boolean;
};

/** Stores messages; those that were stored before were sent again. */
export async function storeSent(queries: Queries, rows: readonly SentRow[]): Promise<void> {
  const column = <Name extends keyof SentRow>(name: Name) => rows.map((row) => row[name]);
  // In key order, so that concurrent writers cannot deadlock.
  await queries.query(SQL`
    insert into tonwire_kept.sent_messages (hash, hash_norm, boc, bytes, sent_at, keep_until, is_void)
    select hash, hash_norm, boc, length(boc), sent_at, keep_until, is_void
    from unnest(
      ${column("hash")}::bytea[], ${column("hash_norm")}::bytea[], ${column("boc")}::bytea[],
      ${column("sent_at")}::bigint[], ${column("keep_until")}::bigint[], ${column("is_void")}::boolean[]
    ) sent(hash, hash_norm, boc, sent_at, keep_until, is_void)
    order by hash
    on conflict (hash) do update set
      sent_at = excluded.sent_at, keep_until = excluded.keep_until, is_void = excluded.is_void`);
}

/** The messages with one of these hashes, sent or normalized, newest first: primary key, sent_messages_by_norm. */
export async function findSent(
  queries: Queries,
  hashes: readonly Uint8Array[],
): Promise<Pick<SentRow, "boc" | "sent_at" | "is_void">[]> {
  const rows = await queries.query<{ boc: Uint8Array; sent_at: bigint; is_void: boolean }>(SQL`
    select boc, sent_at, is_void from tonwire_kept.sent_messages
    where hash = any(${hashes}::bytea[]) or hash_norm = any(${hashes}::bytea[])
    order by is_void, sent_at desc limit 1`);
  return rows.map((row) => ({ ...row, sent_at: Number(row.sent_at) }));
}

/** After a revert no message waits that was sent before. */
export async function voidSent(queries: Queries): Promise<void> {
  await queries.query(SQL`update tonwire_kept.sent_messages set is_void = true where not is_void`);
}

export type SentBounds = { readonly messages: number; readonly bytes: number };

/** Deletes messages whose time is over, and the oldest ones beyond the bounds: sent_messages_by_end, _by_time. */
export async function deleteOldSent(queries: Queries, now: number, bounds: SentBounds): Promise<void> {
  await queries.query(SQL`delete from tonwire_kept.sent_messages where keep_until < ${now}`);
  await queries.query(SQL`
    delete from tonwire_kept.sent_messages
    where hash in (
      select hash from (
        select hash, row_number() over newest as place, sum(bytes) over newest as total
        from tonwire_kept.sent_messages
        window newest as (order by sent_at desc, hash)) each
      where place > ${bounds.messages} or total > ${bounds.bytes})`);
}

/** Hashes of the codes of accounts, by the account: latest_account_states by primary key. */
export async function codesOfAccounts(
  queries: Queries,
  accounts: readonly Uint8Array[],
): Promise<{ account: Uint8Array; code_hash: Uint8Array }[]> {
  return queries.query(SQL`
    select account, code_hash from latest_account_states
    where account = any(${accounts}::bytea[]) and code_hash is not null`);
}
