import type { Address } from "../../../shared/values/address.js";
import { parseBocRoot } from "../../cells/boc.js";
import type { Cell } from "../../cells/cell.js";
import { Account } from "../../tlb/account.js";
import { type BlockIdExt, invalidWorkchain } from "../../tlb/block-id.js";
import { decode } from "../../tlb/codec.js";
import { type ExtraCurrencyCollection, noCurrencies } from "../../tlb/currency-collection.js";
import type { StateInit } from "../../tlb/state-init.js";
import type { LiteApi, LiteCall } from "../lite-api.js";
import { shownStateWithHeader } from "./proofs.js";

export type AccountStatus = "active" | "uninitialized" | "frozen";

/** An account at a masterchain block. Absent accounts are uninitialized, with zero balance and no code. */
export type AccountSnapshot = {
  address: Address;
  /** The masterchain block that was asked for. */
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
  /** Length of the state's BOC; caches use it as the size of the entry. */
  bytes: number;
};

/** A transaction by logical time and hash; lt 0 stands for none. */
export type TransactionRef = { lt: bigint; hash: Uint8Array };

export function noTransaction(): TransactionRef {
  return { lt: 0n, hash: new Uint8Array(32) };
}

/** Reads an account. Requests the proof, as only that has lt and hash of the last transaction and the state's time. */
export async function readAccount(
  lite: LiteApi,
  block: BlockIdExt,
  address: Address,
  call?: LiteCall,
): Promise<AccountSnapshot> {
  const id = { workchain: address.workchain, id: address.hash };
  const answer = await lite.getAccountState({ id: block, account: id, proof: true }, call);
  const hasShard = answer.shardblk.workchain !== invalidWorkchain;
  const state = shownStateWithHeader(hasShard ? answer.proof : answer.shardProof);
  const entry = hasShard ? state.accounts.value.get(address.hash) : undefined;
  const cell = answer.state.length > 0 ? parseBocRoot(answer.state) : undefined;
  const account = cell && decode(Account, cell);
  return {
    address,
    block,
    shardBlock: hasShard ? answer.shardblk : undefined,
    cell,
    account,
    ...contentOf(account),
    lastTransaction: entry ? { lt: entry.lastTransLt, hash: entry.lastTransHash } : noTransaction(),
    syncUtime: state.genUtime,
    bytes: answer.state.length,
  };
}

function contentOf(account: Account) {
  const state = account?.storage.state;
  const init = state?.kind === "active" ? state.init : undefined;
  const frozenHash = state?.kind === "frozen" ? state.stateHash : undefined;
  const { coins, extra } = account?.storage.balance ?? noCurrencies;
  return {
    status: statusOf(init?.code, frozenHash),
    balance: coins,
    extraCurrencies: extra,
    code: init?.code,
    data: init?.data,
    libraries: init?.library,
    frozenHash,
  };
}

function statusOf(code: Cell | undefined, frozenHash: Uint8Array | undefined): AccountStatus {
  if (code) return "active";
  return frozenHash ? "frozen" : "uninitialized";
}
