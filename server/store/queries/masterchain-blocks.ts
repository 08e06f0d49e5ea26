import SQL from "sql-template-tag";
import type { Queries } from "../database.js";
import type { Fragment } from "../where.js";
import { inSlots } from "./slot-windows.js";
import { readSlots } from "./slots.js";

/**
 * The item of a FROM list that yields masterchain blocks `b` of these seqnos, by blocks_of_masterchain in the slots that
 * may have them; `undefined` if none has.
 */
export async function masterchainBlocks(
  queries: Queries,
  seqnos: readonly number[],
): Promise<Fragment | undefined> {
  const known = await readSlots(queries);
  const slots = known.filter(
    ({ first_mc_seqno: first, last_mc_seqno: last }) =>
      first !== null && last !== null && seqnos.some((seqno) => first <= seqno && seqno <= last),
  );
  if (slots.length === 0) return undefined;
  return SQL`(
    select * from blocks
    where workchain = -1 and seqno = any(${seqnos}::integer[]) and ${inSlots("start_lt", slots)}) b`;
}

/** Unix time of the newest masterchain block; 0 if there is none. */
export async function newestBlockTime(queries: Queries): Promise<bigint> {
  const [range] = await queries.query<{ last: number }>(SQL`select last from indexed_range`);
  return (range && (await blockTime(queries, range.last))) ?? 0n;
}

/** Unix time of a stored masterchain block. */
export async function blockTime(queries: Queries, seqno: number): Promise<bigint | undefined> {
  const from = await masterchainBlocks(queries, [seqno]);
  if (!from) return undefined;
  const [row] = await queries.query<{ gen_utime: bigint }>(SQL`select b.gen_utime from ${from}`);
  return row?.gen_utime;
}

export async function masterchainBlockExists(queries: Queries, seqno: number): Promise<boolean> {
  return (await masterchainRootHash(queries, seqno)) !== undefined;
}

/** The root hash of a stored masterchain block. */
export async function masterchainRootHash(queries: Queries, seqno: number): Promise<Uint8Array | undefined> {
  const from = await masterchainBlocks(queries, [seqno]);
  if (!from) return undefined;
  const [row] = await queries.query<{ root_hash: Uint8Array }>(SQL`select b.root_hash from ${from}`);
  return row?.root_hash;
}
