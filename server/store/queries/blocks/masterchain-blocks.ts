import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { type Fragment, keyList, plannedOnce } from "../../sql/where.js";
import { inSlots } from "../slots/slot-windows.js";
import { readSlots } from "../slots/slots.js";

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
  return SQL`unnest(${keyList("integer", seqnos)}) wanted(seqno)
    cross join lateral (
      select * from blocks
      where workchain = -1 and seqno = wanted.seqno and ${inSlots("start_lt", slots)} offset 0) b`;
}

/** Columns of the masterchain blocks `b` with these seqnos, of those that are stored. */
export async function readMasterchainBlocks<Row>(
  queries: Queries,
  columns: Fragment,
  seqnos: readonly number[],
): Promise<Row[]> {
  const from = await masterchainBlocks(queries, seqnos);
  return from ? queries.query<Row>(plannedOnce(SQL`select ${columns} from ${from}`)) : [];
}

/** Unix time of the newest masterchain block; 0 if there is none. */
export async function newestBlockTime(queries: Queries): Promise<bigint> {
  const [range] = await queries.query<{ last: number }>(SQL`select last from indexed_range`);
  return (range && (await blockTime(queries, range.last))) ?? 0n;
}

/** Unix time of a stored masterchain block. */
export async function blockTime(queries: Queries, seqno: number): Promise<bigint | undefined> {
  const [row] = await readMasterchainBlocks<{ gen_utime: bigint }>(queries, SQL`b.gen_utime`, [seqno]);
  return row?.gen_utime;
}

export async function masterchainBlockExists(queries: Queries, seqno: number): Promise<boolean> {
  return (await masterchainRootHash(queries, seqno)) !== undefined;
}

/** The root hash of a stored masterchain block. */
export async function masterchainRootHash(queries: Queries, seqno: number): Promise<Uint8Array | undefined> {
  const [row] = await readMasterchainBlocks<{ root_hash: Uint8Array }>(queries, SQL`b.root_hash`, [seqno]);
  return row?.root_hash;
}

/** The hashes of a stored masterchain block. */
export async function masterchainHashes(
  queries: Queries,
  seqno: number,
): Promise<{ rootHash: Uint8Array; fileHash: Uint8Array } | undefined> {
  const columns = SQL`b.root_hash as "rootHash", b.file_hash as "fileHash"`;
  const [row] = await readMasterchainBlocks<{ rootHash: Uint8Array; fileHash: Uint8Array }>(
    queries,
    columns,
    [seqno],
  );
  return row;
}
