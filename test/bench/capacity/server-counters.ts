import type pg from "pg";
import { sized } from "../../helpers/effort.js";

/** Pages that a database was asked for: those in its memory, and those that it read from its files. */
type Pages = { hits: number; reads: number };

/** `watch` is connected to another database of the server. Sessions report what they counted when they are told to. */
export async function pagesOf(watch: pg.Client, database: string): Promise<Pages> {
  const { rows } = await watch.query<{ hits: string; reads: string }>(
    "select blks_hit as hits, blks_read as reads from pg_stat_database where datname = $1",
    [database],
  );
  return { hits: Number(rows[0]!.hits), reads: Number(rows[0]!.reads) };
}

/** The end of what the server has logged ahead, in bytes. */
export async function loggedBytes(watch: pg.Client): Promise<number> {
  const { rows } = await watch.query<{ bytes: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes",
  );
  return Number(rows[0]!.bytes);
}

const fillerPages = 4096;
/** Each round takes one from the use count of a page in memory, which is five at most. */
const rounds = sized(1, 7);
export const smallMemory = "16MB";

/** A table that takes the place of all other pages in a server's memory, which must be small. */
export async function makeFiller(watch: pg.Client): Promise<void> {
  // Result of an earlier measurement.
  await watch.query("drop table if exists filler");
  await watch.query(`
    create table filler (id integer primary key, content text);
    alter table filler alter content set storage plain;
    insert into filler select n, repeat('x', 7900) from generate_series(1, ${fillerPages}) n`);
  await watch.query("vacuum analyze filler");
  // A scan of a large table would go through few pages of the memory.
  await watch.query("set enable_seqscan = off");
  await watch.query("set enable_bitmapscan = off");
  await watch.query("set max_parallel_workers_per_gather = 0");
}

export async function fillMemory(watch: pg.Client): Promise<void> {
  for (let round = 0; round < rounds; round++)
    await watch.query("select count(content) from filler where id > 0");
}
