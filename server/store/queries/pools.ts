import SQL from "sql-template-tag";
import type { Queries } from "../database.js";
import { dexPoolRecord } from "../tables/dex-pools.js";
import { selectRecords } from "./rows.js";

export type DexPoolRecord = ReturnType<typeof dexPoolRecord.present>;

/** Those of the accounts that are pools of exchanges: primary key. */
export function readDexPools(queries: Queries, accounts: readonly Uint8Array[]): Promise<DexPoolRecord[]> {
  return selectRecords(
    queries,
    dexPoolRecord,
    SQL`dex_pools p where p.address = any(${accounts}::bytea[]) and not p.destroyed`,
  );
}

/** Hash of the code of nominator pools. */
const nominatorPoolCode = Buffer.from("mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=", "base64");

/** Those of the accounts that are nominator pools, raw: primary key. */
export async function readNominatorPools(
  queries: Queries,
  accounts: readonly Uint8Array[],
): Promise<string[]> {
  const rows = await queries.query<{ account: string }>(SQL`
    select wire_address(account) as account from latest_account_states
    where account = any(${accounts}::bytea[]) and code_hash = ${nominatorPoolCode}`);
  return rows.map(({ account }) => account);
}
