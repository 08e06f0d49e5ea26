import SQL from "sql-template-tag";
import type { Address } from "../../shared/values/address.js";
import { bytesEqual } from "../../shared/values/bytes.js";
import { type LiteApi, LiteError } from "../chain/lite-api.js";
import { addressFromBytes } from "../store/address-bytes.js";
import { accountStatuses, codeOf } from "../store/codes.js";
import type { Queries, Sql, Transaction } from "../store/database.js";
import { type BlockIdExt, masterchain, wholeShard, type ZeroStateIdExt } from "../tlb/block-id.js";
import type { ChainUnits } from "./chain-units.js";
import { absentAccount, type FinalAccountState } from "./decode/account.js";
import { advance, type Claim } from "./ranges.js";
import { accountRows, accountSteps } from "./store-batch.js";
import { readZeroAccounts } from "./zero-state.js";

const nonexist = codeOf(accountStatuses, "nonexist");

/** The chain went back behind the range at the head, where nothing can be taken back. */
export class RevertTooDeepError extends Error {
  override readonly name = "RevertTooDeepError";
}

type Chain = {
  lite: Pick<LiteApi, "getMasterchainInfo" | "lookupBlock" | "getState">;
  units: Pick<ChainUnits, "account" | "timeSlice">;
  zeroState: ZeroStateIdExt;
};

type AccountAt = (address: Address) => Promise<FinalAccountState>;

/**
 * Takes back what the chain does not have any more, in one transaction: readers see the index before or after. The
 * answer is the masterchain seqno it then ends with.
 */
export async function revert(database: Sql, claim: Claim, chain: Chain): Promise<number> {
  const common = await newestCommonBlock(database, claim, chain.lite);
  const seqno = common?.seqno ?? claim.from - 1;
  const readAccount = common
    ? (address: Address) => chain.units.account(common, address)
    : await zeroAccounts(chain);
  const accounts = await accountsAt(database, seqno, readAccount);
  const steps = await accountSteps(accountRows(accounts.filter(wasMet)), chain.units.timeSlice);
  await database.transaction(async (transaction) => {
    await advance(transaction, claim, seqno);
    await deleteAfter(transaction, seqno);
    const changed = accounts.map(({ state }) => state.account);
    await transaction.query(SQL`delete from latest_account_states where account = any(${changed}::bytea[])`);
    await transaction.write(steps);
  });
  claim.doneTo = seqno;
  return seqno;
}

/** The newest block of the range that the chain still has; none when not even its first is left. */
async function newestCommonBlock(
  queries: Queries,
  { from, doneTo }: Claim,
  lite: Chain["lite"],
): Promise<BlockIdExt | undefined> {
  const { last } = await lite.getMasterchainInfo();
  for (let seqno = Math.min(doneTo, last.seqno); seqno >= from; seqno--) {
    const [stored] = await queries.query<{ root_hash: Uint8Array }>(SQL`
      select root_hash from blocks where workchain = ${masterchain} and seqno = ${seqno}`);
    const own = await lookup(lite, seqno);
    if (own && bytesEqual(stored!.root_hash, own.rootHash)) return own;
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

type LastTransaction = {
  account: Uint8Array;
  hash: Uint8Array | null;
  lt: bigint | null;
  gen_utime: bigint | null;
};

/** Of absent accounts only those have a row that once were there. */
function wasMet({ lastTransaction, state }: FinalAccountState): boolean {
  return state.account_status !== nonexist || lastTransaction !== undefined;
}

/** Accounts as they were before the first block. */
async function zeroAccounts({ lite, zeroState }: Chain): Promise<AccountAt> {
  const { accounts } = await readZeroAccounts(lite, zeroState);
  const known = new Map(accounts.map((account) => [account.address.toRaw(), account]));
  return async (address) => known.get(address.toRaw()) ?? absentAccount(address);
}

/** Accounts that changed after the block, as they were at it. */
async function accountsAt(
  queries: Queries,
  seqno: number,
  readAccount: AccountAt,
): Promise<FinalAccountState[]> {
  const changed = await queries.query<LastTransaction>(SQL`
    with changed as (
      select account from transactions where mc_block_seqno > ${seqno}
      union
      select account from latest_account_states
      where timestamp > coalesce(
        (select gen_utime from blocks where workchain = -1 and seqno = ${seqno}),
        (select value::bigint from index_meta where key = 'zero_state_utime'))
    )
    select changed.account, last.hash, last.lt, last.gen_utime
    from changed left join lateral (
      select t.hash, t.lt, b.gen_utime
      from transactions t join blocks b
        on (b.workchain, b.shard, b.seqno) = (t.block_workchain, t.block_shard, t.block_seqno)
      where t.account = changed.account and t.mc_block_seqno <= ${seqno}
      order by t.lt desc limit 1) as last on true`);
  const [zero] = await queries.query<{ value: string }>(SQL`
    select value from index_meta where key = 'zero_state_utime'`);
  return Promise.all(
    changed.map(async ({ account, hash, lt, gen_utime }) => {
      const end = await readAccount(addressFromBytes(account));
      const timestamp = gen_utime ?? (zero && BigInt(zero.value));
      return {
        ...end,
        lastTransaction: hash && lt !== null ? { hash, lt } : undefined,
        timestamp: timestamp === undefined ? end.timestamp : Number(timestamp),
      };
    }),
  );
}

/** Traces that go on before the block get the counts and edges they had at it. */
async function deleteAfter(transaction: Transaction, seqno: number): Promise<void> {
  const statements = [
    SQL`delete from messages where mc_seqno > ${seqno}`,
    SQL`delete from transactions where mc_block_seqno > ${seqno}`,
    SQL`delete from shard_state where mc_seqno > ${seqno}`,
    SQL`delete from blocks where mc_block_seqno > ${seqno}`,
    SQL`delete from open_edges where mc_seqno > ${seqno}`,
    SQL`delete from traces where mc_seqno_end > ${seqno} and mc_seqno_start > ${seqno}`,
    // Messages of these traces that were received only after the block are on their way again.
    SQL`
      insert into open_edges (msg_hash, trace_id, left_tx, mc_seqno)
      select o.msg_hash, o.trace_id, o.tx_hash, o.mc_seqno
      from traces t join messages o on o.trace_id = t.trace_id
      where t.mc_seqno_end > ${seqno} and o.direction = 1 and o.destination is not null
        and not exists (select from messages i where i.msg_hash = o.msg_hash and i.direction = 0)
      on conflict do nothing`,
    SQL`
      update traces t
      set mc_seqno_end = x.mc_seqno_end, end_lt = x.end_lt, end_utime = x.end_utime, nodes_ = x.nodes,
        edges_ = x.edges, pending_edges_ = x.pending, classification_state = 0,
        state = case when t.state = 2 then 2 when x.pending = 0 then 1 else 0 end
      from (
        select t.trace_id, n.*, m.received - (t.state = 2)::integer + m.logs as edges,
          e.open + (t.state = 2)::integer as pending
        from traces t
        cross join lateral (
          select count(*)::integer as nodes, max(mc_block_seqno) as mc_seqno_end, max(lt) as end_lt,
            max(now) as end_utime
          from transactions where trace_id = t.trace_id) n
        cross join lateral (
          select count(*) filter (where direction = 0)::integer as received,
            count(*) filter (where direction = 1 and destination is null)::integer as logs
          from messages where trace_id = t.trace_id) m
        cross join lateral (select count(*)::integer as open from open_edges where trace_id = t.trace_id) e
        where t.mc_seqno_end > ${seqno}) x
      where t.trace_id = x.trace_id`,
  ];
  for (const statement of statements) await transaction.query(statement);
}
