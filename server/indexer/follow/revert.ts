import { type LiteApi, LiteError } from "../../../shared/ton/lite/lite-api.js";
import {
  type BlockIdExt,
  masterchain,
  wholeShard,
  type ZeroStateIdExt,
} from "../../../shared/ton/tlb/block-id.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { addressFromBytes } from "../../store/address-bytes.js";
import { accountStatuses, codeOf } from "../../store/codes.js";
import { CombinedRows } from "../../store/copy/combined-rows.js";
import { RowSet } from "../../store/copy/row-set.js";
import type { Queries, Sql } from "../../store/database.js";
import { writeAndSettle } from "../../store/queries/accounts/contracts.js";
import { masterchainRootHash } from "../../store/queries/blocks/masterchain-blocks.js";
import { releaseTracesOf } from "../../store/queries/upkeep/awaited-contracts.js";
import { raiseIndexVersion } from "../../store/queries/upkeep/index-version.js";
import { tellRestoredWallets } from "../../store/queries/upkeep/late-events.js";
import {
  type NewQueuedAccount,
  queueAccounts,
  takeQueuedAcross,
} from "../../store/queries/upkeep/recognition-queue.js";
import { deleteAfter, readChangedAccounts } from "../../store/queries/upkeep/revert.js";
import { lockForTransaction } from "../../store/sql/locks.js";
import { tables } from "../../store/tables/all-tables.js";
import type { QueuedAccountRow } from "../../store/tables/recognition.js";
import { placedTrace } from "../../store/tables/traces.js";
import { accountRows, addAccountRows } from "../batch/store-batch.js";
import { absentAccount, type FinalAccountState } from "../decode/account.js";
import { keyOf } from "../hash-key.js";
import type { Detection } from "../recognition/detection.js";
import { queuedRow } from "../recognition/queued-accounts.js";
import type { ChainUnits } from "../units/chain-units.js";
import { addSnapshotAt } from "../validators/validator-index.js";
import { advance, type Claim } from "../work/ranges.js";
import { readZeroAccounts, zeroStateTime } from "./zero-state.js";

const nonexist = codeOf(accountStatuses, "nonexist");

/** The chain was reverted to a block before the range at the head, which the index cannot undo. */
class RevertTooDeepError extends Error {
  override readonly name = "RevertTooDeepError";
}

type Chain = {
  lite: Pick<LiteApi, "getMasterchainInfo" | "lookupBlock" | "getState">;
  units: Pick<ChainUnits, "account" | "config" | "timeSlice">;
  zeroState: ZeroStateIdExt;
  detection?: Detection | undefined;
};

type AccountAt = (address: Address) => Promise<FinalAccountState>;

/**
 * Reverts the index to the newest block that the chain still has, in one transaction. Returns the seqno of that
 * masterchain block.
 */
export async function revert(database: Sql, claim: Claim, chain: Chain): Promise<number> {
  const common = await newestCommonBlock(database, claim, chain.lite);
  const seqno = common?.seqno ?? claim.from - 1;
  const readAccount = common
    ? (address: Address) => chain.units.account(common, address)
    : await zeroAccounts(chain);
  const accounts = await accountsAt(database, seqno, readAccount);
  const rows = await RowSet.for(database);
  const restored = accountRows(accounts.filter(wasMet));
  await chain.detection?.resolveLibraries(restored.codes);
  const methods = await addAccountRows(rows, restored, chain.units.timeSlice);
  if (common) {
    const seen = { block: common, accounts: [...restored.accounts.values()], methods };
    await chain.detection?.detect(database, seen, rows);
    const validators = new CombinedRows();
    await addSnapshotAt(chain.units, common, validators);
    validators.addTo(rows);
  }
  const changed = accounts.map(({ state }) => state.account);
  await database.transaction(async (transaction) => {
    // It changes rows in another order than those who write batches, so these end first, and none begins.
    await lockForTransaction(transaction, "migration");
    await advance(transaction, claim, seqno);
    const across = await takeQueuedAcross(transaction, seqno);
    const traces = rows.of(tables.traces);
    for (const trace of await deleteAfter(transaction, seqno, changed)) traces.add(placedTrace(trace));
    await writeAndSettle(transaction, rows.finish(), changed);
    await tellRestoredWallets(transaction, changed, seqno);
    if (common) await queueAccounts(transaction, queuedAt(common, across, accounts));
    await releaseTracesOf(transaction, changed);
    await raiseIndexVersion(transaction);
  });
  claim.doneTo = seqno;
  return seqno;
}

/** Queued accounts that changed after the block, with their states at the block. */
function queuedAt(
  block: BlockIdExt,
  across: readonly QueuedAccountRow[],
  accounts: readonly FinalAccountState[],
): NewQueuedAccount[] {
  const states = new Map(accounts.map((account) => [keyOf(account.state.account), account]));
  return across.flatMap(({ account: key, code_hash, blamed_code, cost_ms, from_seqno }) => {
    const account = states.get(keyOf(key));
    const { state } = account ?? {};
    if (!state?.code_hash || !state.data_hash || !bytesEqual(state.code_hash, code_hash)) return [];
    const deferral = { account: account!, block, blamed: keyOf(blamed_code), costMs: cost_ms };
    return [queuedRow(deferral, { from: from_seqno, to: block.seqno })];
  });
}

/** The newest block of the range that the chain still has; `undefined` if there is none. */
async function newestCommonBlock(
  queries: Queries,
  { from, doneTo }: Claim,
  lite: Chain["lite"],
): Promise<BlockIdExt | undefined> {
  const { last } = await lite.getMasterchainInfo();
  for (let seqno = Math.min(doneTo, last.seqno); seqno >= from; seqno--) {
    const stored = await masterchainRootHash(queries, seqno);
    const own = await lookup(lite, seqno);
    if (own && bytesEqual(stored!, own.rootHash)) return own;
  }
  if (from > 1) throw new RevertTooDeepError(`the chain went back behind masterchain block ${from}`);
  return undefined;
}

async function lookup(lite: Chain["lite"], seqno: number): Promise<BlockIdExt | undefined> {
  try {
    const id = { workchain: masterchain, shard: wholeShard, seqno };
    return (await lite.lookupBlock({ id, bySeqno: true })).id;
  } catch (error) {
    if (error instanceof LiteError) return undefined;
    throw error;
  }
}

/** Nonexistent accounts have a row only if they had a transaction. */
function wasMet({ lastTransaction, state }: FinalAccountState): boolean {
  return state.account_status !== nonexist || lastTransaction !== undefined;
}

/** Reads accounts as of the zero state. */
async function zeroAccounts({ lite, zeroState }: Chain): Promise<AccountAt> {
  const { accounts } = await readZeroAccounts(lite, zeroState);
  const known = new Map(accounts.map((account) => [account.address.toRaw(), account]));
  return async (address) => known.get(address.toRaw()) ?? absentAccount(address);
}

/** The time of an account without transactions on this chain, which is of the zero state or imported by a fork. */
function timeWithout(
  { lastTransaction, timestamp }: FinalAccountState,
  zeroTime: number | undefined,
): number {
  return lastTransaction ? timestamp : (zeroTime ?? timestamp);
}

/** Accounts that may have changed after the block, with their states at the block. */
async function accountsAt(
  database: Sql,
  seqno: number,
  readAccount: AccountAt,
): Promise<FinalAccountState[]> {
  const read = (snapshot: Queries) => readChangedAccounts(snapshot, seqno);
  const changed = await database.transaction(read, { snapshot: true });
  const zeroTime = await zeroStateTime(database);
  return Promise.all(
    changed.map(async ({ account, hash, lt, now }) => {
      const end = await readAccount(addressFromBytes(account));
      return {
        ...end,
        lastTransaction: hash && lt !== null ? { hash, lt } : end.lastTransaction,
        timestamp: now === null ? timeWithout(end, zeroTime) : Number(now),
      };
    }),
  );
}
