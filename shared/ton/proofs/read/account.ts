import type { Address } from "../../../values/address.js";
import { parseBocRoot } from "../../cells/boc/boc.js";
import type { Cell } from "../../cells/cell.js";
import { accountIdOf } from "../../lite/account-id.js";
import type { AccountState, LiteApi, LiteCall } from "../../lite/lite-api.js";
import { Account } from "../../tlb/account.js";
import { type BlockIdExt, invalidWorkchain } from "../../tlb/block-id.js";
import { CellOf } from "../../tlb/cell-of.js";
import { decode } from "../../tlb/codec.js";
import { type ExtraCurrencyCollection, noCurrencies } from "../../tlb/currency-collection.js";
import type { ShardAccount } from "../../tlb/shard-account.js";
import { ShardStateUnsplit } from "../../tlb/shard-state.js";
import type { StateInit } from "../../tlb/state-init.js";
import { type HeldStates, shardOf } from "./held-states.js";
import { shownStateWithHeader } from "./proofs.js";

type AccountStatus = "active" | "uninitialized" | "frozen";

/** An account at a block. Absent accounts are uninitialized, with zero balance and no code. */
export type AccountSnapshot = {
  address: Address;
  /** The requested block: of the masterchain, or of the account's shard. */
  block: BlockIdExt;
  /** The shard block whose state was read; absent if there is no such workchain. */
  shardBlock: BlockIdExt | undefined;
  /** The `Account` cell, decoded in `account`; both absent if the account does not exist. */
  cell: Cell | undefined;
  account: Account;
  /** TON Center's status: an active account without code counts as uninitialized. */
  status: AccountStatus;
  /** In nanotons. */
  balance: bigint;
  extraCurrencies: ExtraCurrencyCollection;
  code: Cell | undefined;
  data: Cell | undefined;
  /** The account's own libraries by hash. */
  libraries: StateInit["library"] | undefined;
  /** State hash of a frozen account. */
  frozenHash: Uint8Array | undefined;
  /** lt 0 and a hash of zeros if there is none. */
  lastTransaction: TransactionRef;
  /** Unix time of the shard state. */
  syncUtime: number;
  /** Length of the state's BOC, for the size of caches; 0 if it is part of a held state. */
  bytes: number;
};

/** A transaction by logical time and hash; lt 0 means none. */
export type TransactionRef = { lt: bigint; hash: Uint8Array };

export function noTransaction(): TransactionRef {
  return { lt: 0n, hash: new Uint8Array(32) };
}

/** An account in a state that is held. */
export function heldAccount(states: HeldStates, block: BlockIdExt, address: Address): AccountSnapshot {
  const shard = shardOf(states, accountIdOf(address));
  const entry = shard?.state.accounts.value.get(address.hash);
  return snapshotOf({
    address,
    block,
    shardBlock: shard?.id,
    cell: entry?.account.value && entry.account.cell,
    account: entry?.account.value,
    entry,
    syncUtime: (shard ?? states.masterchain).state.genUtime,
    bytes: 0,
  });
}

/** Reads an account of a zero state, of which liteservers give the whole only. */
export async function readFirstAccount(
  lite: Pick<LiteApi, "getState">,
  block: BlockIdExt,
  address: Address,
  call?: LiteCall,
): Promise<AccountSnapshot> {
  const { data } = await lite.getState({ id: block }, call);
  const state = decode(ShardStateUnsplit, parseBocRoot(data));
  const held = { id: block, state };
  return heldAccount({ masterchain: held, shard: () => held }, block, address);
}

/**
 * Reads an account. Requests the proof, because only the proof contains the shard state's time and the lt and hash of
 * the last transaction.
 */
export async function readAccount(
  lite: Pick<LiteApi, "getAccountState">,
  block: BlockIdExt,
  address: Address,
  call?: LiteCall,
): Promise<AccountSnapshot> {
  const id = accountIdOf(address);
  return accountIn(await lite.getAccountState({ id: block, account: id, proof: true }, call), block, address);
}

/** The account in a liteserver's answer with proof. */
export function accountIn(answer: AccountState, block: BlockIdExt, address: Address): AccountSnapshot {
  const hasShard = answer.shardblk.workchain !== invalidWorkchain;
  const state = shownStateWithHeader(hasShard ? answer.proof : answer.shardProof);
  const entry = hasShard ? state.accounts.value.get(address.hash) : undefined;
  const cell = answer.state.length > 0 ? parseBocRoot(answer.state) : undefined;
  const account = cell && decode(Account, cell);
  return snapshotOf({
    address,
    block,
    shardBlock: hasShard ? answer.shardblk : undefined,
    cell: account && cell,
    account,
    entry,
    syncUtime: state.genUtime,
    bytes: answer.state.length,
  });
}

/** The snapshot of an account after a later change. */
export function changedAccount(snapshot: AccountSnapshot, entry: ShardAccount): AccountSnapshot {
  const { address, block, shardBlock } = snapshot;
  const account = entry.account.value;
  return snapshotOf({
    ...{ entry, address, block, shardBlock, account, bytes: 0 },
    cell: account && entry.account.cell,
    syncUtime: Math.max(snapshot.syncUtime, account?.storageStat.lastPaid ?? 0),
  });
}

type Found = Pick<
  AccountSnapshot,
  "address" | "block" | "shardBlock" | "cell" | "account" | "syncUtime" | "bytes"
> & { entry: ShardAccount | undefined };

/** Lists the members one by one, because V8 takes 10 us to spread them. */
function snapshotOf({
  entry,
  address,
  block,
  shardBlock,
  cell,
  account,
  syncUtime,
  bytes,
}: Found): AccountSnapshot {
  const state = account?.storage.state;
  const init = state?.kind === "active" ? state.init : undefined;
  const frozenHash = state?.kind === "frozen" ? state.stateHash : undefined;
  const { coins, extra } = account?.storage.balance ?? noCurrencies;
  return {
    address,
    block,
    shardBlock,
    cell,
    account,
    status: statusOf(init?.code, frozenHash),
    balance: coins,
    extraCurrencies: extra,
    code: init?.code,
    data: init?.data,
    libraries: init?.library,
    frozenHash,
    lastTransaction: entry ? { lt: entry.lastTransLt, hash: entry.lastTransHash } : noTransaction(),
    syncUtime,
    bytes,
  };
}

/** The account in the form of a shard state, for the executor. */
export function shardAccountOf({
  cell,
  lastTransaction: { lt, hash },
}: Pick<AccountSnapshot, "cell" | "lastTransaction">): ShardAccount {
  const account = cell ? CellOf.in(Account, cell) : CellOf.of(Account, undefined);
  return { account, lastTransHash: hash, lastTransLt: lt };
}

function statusOf(code: Cell | undefined, frozenHash: Uint8Array | undefined): AccountStatus {
  if (code) return "active";
  return frozenHash ? "frozen" : "uninitialized";
}
