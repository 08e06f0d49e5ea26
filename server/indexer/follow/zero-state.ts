import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { type LiteApi, LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import { type BlockIdExt, type ZeroStateIdExt, zeroStateBlock } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { registeredShards } from "../../../shared/ton/tlb/shard-hashes.js";
import { ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";
import { Address } from "../../../shared/values/address.js";
import { TimeSlice } from "../../chain/time-slice.js";
import { RowSet } from "../../store/copy/row-set.js";
import type { Queries, Sql } from "../../store/database.js";
import { holdRows, holdSchema } from "../../store/queries/cluster/divided-clauses.js";
import { insertMeta, readMeta } from "../../store/queries/upkeep/index-meta.js";
import { accountRows, addAccountRows } from "../batch/store-batch.js";
import { type FinalAccountState, finalAccountState } from "../decode/account.js";
import type { Claim } from "../work/ranges.js";

type ZeroAccounts = { accounts: FinalAccountState[]; genUtime: number };

/** The accounts in the zero states of the masterchain and of the shards it registers. */
export async function readZeroAccounts(
  lite: Pick<LiteApi, "getState">,
  zeroState: ZeroStateIdExt,
): Promise<ZeroAccounts> {
  const masterchain = await readState(lite, zeroStateBlock(zeroState));
  const shards = masterchain.custom ? [...registeredShards(masterchain.custom.value.shardHashes)] : [];
  const others = await Promise.all(
    shards.map(({ workchain, shard, descr: { seqno, rootHash, fileHash } }) =>
      readState(lite, { workchain, shard, seqno, rootHash, fileHash }),
    ),
  );
  return { accounts: [masterchain, ...others].flatMap(accountsOf), genUtime: masterchain.genUtime };
}

export async function readState(lite: Pick<LiteApi, "getState">, id: BlockIdExt): Promise<ShardStateUnsplit> {
  const { data } = await lite.getState({ id });
  return decode(ShardStateUnsplit, parseBocRoot(data));
}

function accountsOf(state: ShardStateUnsplit): FinalAccountState[] {
  return [...state.accounts.value.entries()].map(([id, { account, lastTransHash, lastTransLt }]) =>
    finalAccountState(account.value, {
      address: new Address(state.shardId.workchain, id),
      hash: account.cell.hash(),
      timestamp: state.genUtime,
      lastTransaction: lastTransLt > 0n ? { hash: lastTransHash, lt: lastTransLt } : undefined,
    }),
  );
}

/**
 * Stores the zero state's accounts as latest states, once, so that balances are complete. States already changed by
 * blocks are kept. Other tables get no rows. Returns the accounts until block 1 is stored.
 */
export async function seedZeroState(
  database: Sql,
  lite: LiteApi,
  { doneTo }: Pick<Claim, "doneTo">,
): Promise<FinalAccountState[]> {
  const isSeeded = (await zeroStateTime(database)) !== undefined;
  if (isSeeded && doneTo > 0) return [];
  const { init } = await lite.getMasterchainInfo();
  const zero = await readZeroAccounts(lite, init).catch(ignoreRefusal);
  if (!zero) return [];
  if (!isSeeded) await storeZeroAccounts(database, zero);
  return doneTo > 0 ? [] : zero.accounts;
}

async function storeZeroAccounts(database: Sql, { accounts, genUtime }: ZeroAccounts): Promise<void> {
  const rows = await RowSet.for(database);
  await addAccountRows(rows, accountRows(accounts), new TimeSlice());
  const steps = rows.finish();
  await database.transaction(async (transaction) => {
    await holdSchema(transaction);
    await holdRows(transaction, "merge");
    await transaction.write(steps);
    await insertMeta(transaction, "zero_state_utime", String(genUtime));
  });
}

/** The zero state's Unix time; `undefined` if its accounts are not stored. */
export async function zeroStateTime(queries: Queries): Promise<number | undefined> {
  const [row] = await readMeta(queries, ["zero_state_utime"]);
  return row && Number(row.value);
}

/** The zero state's Unix time by the chain; `undefined` if no server has it. */
export async function readZeroUtime(
  lite: Pick<LiteApi, "getMasterchainInfo" | "getState">,
): Promise<number | undefined> {
  const { init } = await lite.getMasterchainInfo();
  const zero = await readState(lite, zeroStateBlock(init)).catch(ignoreRefusal);
  return zero?.genUtime;
}

/** Not every liteserver has the zero states. Without them the index lacks accounts that no block has changed. */
function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof LiteError && refusals.has(error.code))) throw error;
}

const refusals: ReadonlySet<number> = new Set([
  liteErrorCode.failure,
  liteErrorCode.unspecified,
  liteErrorCode.notReady,
]);
