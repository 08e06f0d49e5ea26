import sql from "sql-template-tag";
import { Address } from "../../shared/values/address.js";
import { parseBocRoot } from "../cells/boc.js";
import { type BlockIdExt, wholeShard, type ZeroStateIdExt } from "../chain/block-id.js";
import type { LiteApi } from "../chain/lite-api.js";
import { decode } from "../chain/tlb/codec.js";
import { registeredShards } from "../chain/tlb/shard-hashes.js";
import { ShardStateUnsplit } from "../chain/tlb/shard-state.js";
import type { Transaction } from "../store/database.js";
import { type AccountEnd, accountEnd } from "./decode/account.js";
import { accountRows, storeAccounts } from "./store-group.js";

type ZeroAccounts = { accounts: AccountEnd[]; genUtime: number };

/** The accounts of the masterchain's zero state and of those of the shards it names. */
export async function readZeroAccounts(lite: LiteApi, zeroState: ZeroStateIdExt): Promise<ZeroAccounts> {
  const masterchain = await readState(lite, { ...zeroState, shard: wholeShard, seqno: 0 });
  const shards = masterchain.custom ? [...registeredShards(masterchain.custom.value.shardHashes)] : [];
  const others = await Promise.all(
    shards.map(({ workchain, shard, descr: { seqno, rootHash, fileHash } }) =>
      readState(lite, { workchain, shard, seqno, rootHash, fileHash }),
    ),
  );
  return { accounts: [masterchain, ...others].flatMap(accountsOf), genUtime: masterchain.genUtime };
}

async function readState(lite: LiteApi, id: BlockIdExt): Promise<ShardStateUnsplit> {
  const { data } = await lite.getState({ id });
  return decode(ShardStateUnsplit, parseBocRoot(data));
}

function accountsOf(state: ShardStateUnsplit): AccountEnd[] {
  return [...state.accounts.value.entries()].map(([id, { account, lastTransHash, lastTransLt }]) =>
    accountEnd(account.value, {
      address: new Address(state.shardId.workchain, id),
      hash: account.cell.hash(),
      timestamp: state.genUtime,
      lastTransaction: lastTransLt > 0n ? { hash: lastTransHash, lt: lastTransLt } : undefined,
    }),
  );
}

/** Stores the latest states of accounts that no block has touched yet; there are no rows of them in other tables. */
export async function storeZeroAccounts(
  transaction: Transaction,
  { accounts, genUtime }: ZeroAccounts,
): Promise<void> {
  await storeAccounts(transaction, accountRows(accounts));
  await transaction.query(sql`
    insert into index_meta (key, value) values ('zero_state_utime', ${String(genUtime)}) on conflict do nothing`);
}
