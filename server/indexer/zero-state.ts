import SQL from "sql-template-tag";
import { Address } from "../../shared/values/address.js";
import { parseBocRoot } from "../cells/boc.js";
import { type LiteApi, LiteError, liteErrorCode } from "../chain/lite-api.js";
import { TimeSlice } from "../chain/time-slice.js";
import type { Sql } from "../store/database.js";
import { type BlockIdExt, wholeShard, type ZeroStateIdExt } from "../tlb/block-id.js";
import { decode } from "../tlb/codec.js";
import { registeredShards } from "../tlb/shard-hashes.js";
import { ShardStateUnsplit } from "../tlb/shard-state.js";
import { type FinalAccountState, finalAccountState } from "./decode/account.js";
import { accountRows, accountSteps } from "./store-batch.js";

type ZeroAccounts = { accounts: FinalAccountState[]; genUtime: number };

/** The accounts of the masterchain's zero state and of those of the shards it names. */
export async function readZeroAccounts(
  lite: Pick<LiteApi, "getState">,
  zeroState: ZeroStateIdExt,
): Promise<ZeroAccounts> {
  const masterchain = await readState(lite, { ...zeroState, shard: wholeShard, seqno: 0 });
  const shards = masterchain.custom ? [...registeredShards(masterchain.custom.value.shardHashes)] : [];
  const others = await Promise.all(
    shards.map(({ workchain, shard, descr: { seqno, rootHash, fileHash } }) =>
      readState(lite, { workchain, shard, seqno, rootHash, fileHash }),
    ),
  );
  return { accounts: [masterchain, ...others].flatMap(accountsOf), genUtime: masterchain.genUtime };
}

async function readState(lite: Pick<LiteApi, "getState">, id: BlockIdExt): Promise<ShardStateUnsplit> {
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
 * Stores the accounts there were before the first block, once: their latest states, so that balances are complete,
 * and nothing in other tables. Where blocks have changed them already, that stays.
 */
export async function seedZeroState(database: Sql, lite: LiteApi): Promise<void> {
  const done = await database.query(SQL`select key from index_meta where key = 'zero_state_utime'`);
  if (done.length > 0) return;
  const { init } = await lite.getMasterchainInfo();
  const zero = await readZeroAccounts(lite, init).catch(ignoreRefusal);
  if (!zero) return;
  const { accounts, genUtime } = zero;
  const steps = await accountSteps(accountRows(accounts), new TimeSlice());
  await database.transaction(async (transaction) => {
    await transaction.write(steps);
    await transaction.query(SQL`
      insert into index_meta (key, value) values ('zero_state_utime', ${String(genUtime)}) on conflict do nothing`);
  });
}

/** Not every liteserver has the zero states. Without them balances are those of accounts that blocks have changed. */
function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof LiteError && refusals.has(error.code))) throw error;
}

const refusals: ReadonlySet<number> = new Set([
  liteErrorCode.failure,
  liteErrorCode.unspecified,
  liteErrorCode.notReady,
]);
