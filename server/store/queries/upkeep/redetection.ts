import SQL from "sql-template-tag";
import { accountStatuses } from "../../codes.js";
import type { Queries, Transaction } from "../../database.js";
import { oneRow } from "../../sql/one-row.js";
import { all, code, given } from "../../sql/where.js";
import { contractCodes, type LatestAccountStateRow, latestAccountStates } from "../../tables/accounts.js";
import { besideRows } from "../cluster/beside-rows.js";
import { lockOfRows } from "../cluster/divided-clauses.js";
import { gatheredLatest } from "../cluster/gathered-rows.js";
import { selectJoined } from "../rows.js";

const active = code(accountStatuses, "active");

/** How many accounts are stored, and how many of them up to one. Reads the whole key. */
export async function countAccounts(
  queries: Queries,
  upTo: Uint8Array,
): Promise<{ all: number; before: number }> {
  const counts = await oneRow<{ all: bigint; before: bigint }>(
    queries,
    SQL`select count(*) as "all", count(*) filter (where account <= ${upTo}) as "before" from latest_account_states`,
  );
  return { all: Number(counts.all), before: Number(counts.before) };
}

/** The accounts behind one, in key order. */
export async function readAccountsBehind(
  queries: Queries,
  account: Uint8Array,
  limit: number,
): Promise<Uint8Array[]> {
  const rows = await queries.query<{ account: Uint8Array }>(SQL`
    select account from latest_account_states where account > ${account} order by account limit ${limit}`);
  return rows.map((row) => row.account);
}

/** The latest state of an account, and its code if that is stored. */
export type ContractState = { state: LatestAccountStateRow; code: Uint8Array | undefined };

/**
 * Accounts that have code and data. `methods` leaves out accounts whose code is known to have none of these
 * get-methods.
 */
export async function readContractStates(
  queries: Queries,
  accounts: readonly Uint8Array[],
  methods: readonly number[] | undefined,
): Promise<ContractState[]> {
  const mayBe = given(
    methods,
    (ids) => SQL`(c.methods is null or cardinality(c.methods) = 0 or c.methods && ${ids}::integer[])`,
  );
  const where = all(
    SQL`s.account = any(${accounts}::bytea[])`,
    SQL`s.account_status = ${active} and s.code_hash is not null and s.data_hash is not null`,
    mayBe,
  );
  const known = await besideRows(queries, () => [gatheredLatest(accounts)]);
  const rows = await selectJoined(
    known,
    { s: latestAccountStates.columns },
    SQL`latest_account_states s
      left join contract_methods c on c.code_hash = s.code_hash
      left join contract_codes k on k.code_hash = s.code_hash
      where ${where}`,
    { outer: { k: contractCodes.columns } },
  );
  return rows.map(({ s, k }) => ({ state: s, code: k?.boc }));
}

type StateVersion = Pick<LatestAccountStateRow, "account" | "hash" | "timestamp">;

/** Reads which states of accounts are stored, and keeps others from changing them until the end of the transaction. */
export async function lockStates(
  transaction: Transaction,
  accounts: readonly Uint8Array[],
): Promise<StateVersion[]> {
  const lock = await lockOfRows(transaction, "merge", SQL`order by account for update`);
  const rows = await transaction.query<{ account: Uint8Array; hash: Uint8Array; timestamp: bigint }>(SQL`
    select account, hash, timestamp from latest_account_states
    where account = any(${accounts}::bytea[]) ${lock}`);
  return rows.map((row) => ({ ...row, timestamp: Number(row.timestamp) }));
}
