import sql from "sql-template-tag";
import { bytesToHex } from "../../shared/values/bytes.js";
import type { ZeroStateIdExt } from "../chain/block-id.js";
import type { Queries } from "../store/database.js";

/** The database holds the index of another chain. */
export class OtherChainError extends Error {
  override readonly name = "OtherChainError";
}

/** Notes whose index this is; refuses to go on with that of another network or zero state. */
export async function claimIdentity(
  queries: Queries,
  { network, zeroState }: { network: string; zeroState: ZeroStateIdExt },
): Promise<void> {
  const own = { network, zero_state: bytesToHex(zeroState.rootHash) };
  for (const [key, value] of Object.entries(own)) {
    await queries.query(
      sql`insert into index_meta (key, value) values (${key}, ${value}) on conflict do nothing`,
    );
    const [row] = await queries.query<{ value: string }>(
      sql`select value from index_meta where key = ${key}`,
    );
    if (row!.value !== value)
      throw new OtherChainError(
        `the database is an index of another chain: its ${key} is ${row!.value}, not ${value}`,
      );
  }
}
