import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { TimeSlice } from "../../chain/time-slice.js";
import { RowSet } from "../../store/copy/row-set.js";
import type { Lock, Sql, Transaction } from "../../store/database.js";
import { writeAndSettle } from "../../store/queries/accounts/contracts.js";
import { holdSchema } from "../../store/queries/cluster/divided-clauses.js";
import { holdVersions, readVersions } from "../../store/queries/upkeep/bootstraps.js";
import { raiseIndexVersion } from "../../store/queries/upkeep/index-version.js";
import { accountRows, addAccountRows } from "../batch/store-batch.js";
import type { FinalAccountState } from "../decode/account.js";
import { contractMethods } from "../decode/contract-methods.js";
import { keyOf } from "../hash-key.js";
import { addFound, type Detection } from "../recognition/detection.js";

/** Accounts to store together. */
export type AccountPage = {
  accounts: readonly FinalAccountState[];
  /** The masterchain block as of which contracts run. */
  block: BlockIdExt;
  /** Stores in the page's transaction that the page is done. */
  keep(transaction: Transaction): Promise<void>;
};

type AccountStore = {
  database: Sql;
  /** Whether other processes may write the database. */
  isConcurrent: boolean;
  /** The lock of this work. */
  lock: Pick<Lock, "confirm">;
  detection: Pick<Detection, "recognise" | "resolveLibraries">;
};

/**
 * Stores latest states and the contracts recognised in them, in one transaction. Accounts of which the index has this
 * state or a later one are left as they are.
 */
export async function storeAccounts(store: AccountStore, page: AccountPage): Promise<void> {
  const { database, isConcurrent, lock, detection } = store;
  const accounts = await unstored(page.accounts, (accounts) => readVersions(database, accounts));
  const { codes } = accountRows(accounts);
  await detection.resolveLibraries(codes);
  const methods = new Map(Array.from(codes, ([key, code]) => [key, contractMethods(code)]));
  const seen = { block: page.block, accounts, methods };
  const found = accounts.length > 0 ? await detection.recognise(database, seen) : [];
  await database.transaction(async (transaction) => {
    if (isConcurrent) await holdSchema(transaction);
    await lock.confirm(transaction);
    const missing = await unstored(accounts, (each) => holdVersions(transaction, each));
    const rows = await RowSet.for(transaction);
    await addAccountRows(rows, { ...accountRows(missing), codes }, new TimeSlice());
    const kept = new Set(missing.map(({ state }) => keyOf(state.account)));
    for (const each of found) if (kept.has(keyOf(each.account.state.account))) addFound(rows, each);
    await writeAndSettle(
      transaction,
      rows.finish(),
      missing.map(({ state }) => state.account),
    );
    await page.keep(transaction);
    await raiseIndexVersion(transaction);
  });
}

/** Accounts without a stored state, with an earlier one, or with the same one without its cells. */
async function unstored(
  accounts: readonly FinalAccountState[],
  read: (accounts: readonly Uint8Array[]) => ReturnType<typeof readVersions>,
): Promise<FinalAccountState[]> {
  if (accounts.length === 0) return [];
  const versions = await read(accounts.map(({ state }) => state.account));
  const stored = new Map(versions.map((version) => [keyOf(version.account), version]));
  return accounts.filter(({ state, lastTransaction }) => {
    const version = stored.get(keyOf(state.account));
    const lt = lastTransaction?.lt ?? 0n;
    return !version || version.last_trans_lt < lt || (version.last_trans_lt === lt && !version.is_whole);
  });
}
