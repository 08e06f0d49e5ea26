import SQL, { empty } from "sql-template-tag";
import type { Queries, Transaction } from "../../database.js";
import type { Fragment } from "../../sql/where.js";
import { besideRows } from "../cluster/beside-rows.js";
import { lockOfRows } from "../cluster/divided-clauses.js";
import { gatheredLatest } from "../cluster/gathered-rows.js";

/** The state of a shard from which accounts are stored. */
export type BootstrappedState = {
  workchain: number;
  /** Signed. */
  shard: bigint;
  seqno: number;
  /** The last masterchain block whose changes are all in the state, its time and its last lt. */
  mc_seqno: number;
  gen_utime: number;
  end_lt: bigint;
  /** Accounts that were looked at, up to `last_account`. */
  accounts: number;
  last_account: Uint8Array | undefined;
  done: boolean;
};

type StateRow = Omit<BootstrappedState, "gen_utime" | "accounts" | "last_account"> & {
  gen_utime: bigint;
  accounts: bigint;
  last_account: Uint8Array | null;
};

type StateKey = Pick<BootstrappedState, "workchain" | "shard" | "seqno"> & { root_hash: Uint8Array };
type StatePlace = Pick<BootstrappedState, "mc_seqno" | "gen_utime" | "end_lt">;

/** Adds a state, or finds how far its accounts are stored. */
export async function beginState(queries: Queries, state: StateKey & StatePlace): Promise<BootstrappedState> {
  const { workchain, shard, seqno, root_hash, mc_seqno, gen_utime, end_lt } = state;
  const [row] = await queries.query<StateRow>(SQL`
    insert into bootstrapped_states as s
      (workchain, shard, seqno, root_hash, mc_seqno, gen_utime, end_lt, accounts, last_account, done)
    values (${workchain}, ${shard}, ${seqno}, ${root_hash}, ${mc_seqno}, ${gen_utime}, ${end_lt}, 0, null, false)
    on conflict (root_hash) do update set root_hash = excluded.root_hash
    returning workchain, shard, seqno, mc_seqno, gen_utime, end_lt, accounts, last_account, done`);
  return stateOf(row!);
}

/** Sets how far the accounts of a state are stored. */
export async function advanceState(
  queries: Queries,
  rootHash: Uint8Array,
  { accounts, last_account, done }: Pick<BootstrappedState, "accounts" | "last_account" | "done">,
): Promise<void> {
  await queries.query(SQL`
    update bootstrapped_states set accounts = ${accounts}, last_account = ${last_account ?? null}, done = ${done}
    where root_hash = ${rootHash}`);
}

/** The states, those of the newest blocks last; at most so many. */
export async function readStates(queries: Queries, limit = 100): Promise<BootstrappedState[]> {
  const rows = await queries.query<StateRow>(SQL`
    select workchain, shard, seqno, mc_seqno, gen_utime, end_lt, accounts, last_account, done
    from bootstrapped_states order by mc_seqno desc, workchain desc, shard desc limit ${limit}`);
  return rows.map(stateOf).reverse();
}

function stateOf({ gen_utime, accounts, last_account, ...row }: StateRow): BootstrappedState {
  return {
    ...row,
    gen_utime: Number(gen_utime),
    accounts: Number(accounts),
    last_account: last_account ?? undefined,
  };
}

/** A stored state of an account. `is_whole`: it has the cells of its code and data. */
type StoredVersion = { account: Uint8Array; last_trans_lt: bigint; is_whole: boolean };

/** The stored ones of these accounts. */
export function readVersions(queries: Queries, accounts: readonly Uint8Array[]): Promise<StoredVersion[]> {
  return versionsOf(queries, accounts, empty);
}

/** Reads the same, and keeps others from changing these accounts until the end of the transaction. */
export async function holdVersions(
  transaction: Transaction,
  accounts: readonly Uint8Array[],
): Promise<StoredVersion[]> {
  const lock = await lockOfRows(transaction, "merge", SQL`order by account for update of s`);
  return versionsOf(transaction, accounts, lock);
}

async function versionsOf(
  queries: Queries,
  accounts: readonly Uint8Array[],
  lock: Fragment,
): Promise<StoredVersion[]> {
  const known = await besideRows(queries, () => [
    gatheredLatest(accounts, [
      ...["last_trans_lt", "data_hash", "code_hash"],
      ["data_boc", "substr(data_boc, 1, 0)"],
    ]),
  ]);
  return known.query<StoredVersion>(SQL`
    select account, coalesce(last_trans_lt, 0) as last_trans_lt,
      (data_hash is null or data_boc is not null)
        and (code_hash is null or exists (select from contract_codes c where c.code_hash = s.code_hash)) as is_whole
    from latest_account_states s
    where account = any(${accounts}::bytea[]) ${lock}`);
}
