import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { v3Currencies } from "../../../shared/ton/present/v3/message.js";
import type { AccountSnapshot } from "../../../shared/ton/proofs/read/account.js";
import type { Account } from "../../../shared/ton/tlb/account.js";
import type { Address } from "../../../shared/values/address.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { accountStatuses, codeOf } from "../../store/codes.js";
import type { AccountState } from "../../store/tables/accounts.js";

/** A cell and its hash. The cell is `undefined` if the block prunes it as unchanged. */
export type KnownCell = { hash: Uint8Array; cell: Cell | undefined };

/** The final state of an account in a block. */
export type FinalAccountState = {
  address: Address;
  /** The account_states row; latest_account_states has the same balance and currencies, and the account. */
  state: AccountState;
  code: KnownCell | undefined;
  data: KnownCell | undefined;
  /** Whether the account has libraries. */
  hasLibraries: boolean;
  timestamp: number;
  lastTransaction: { hash: Uint8Array; lt: bigint } | undefined;
};

type AccountFacts = Pick<FinalAccountState, "address" | "timestamp" | "lastTransaction"> & {
  hash: Uint8Array;
};

/** The stored form of an account; `undefined` means that it does not exist. */
export function finalAccountState(account: Account, facts: AccountFacts): FinalAccountState {
  const { address, timestamp, lastTransaction, hash } = facts;
  const state = account?.storage.state;
  const init = state?.kind === "active" ? state.init : undefined;
  const code = init?.code && knownCell(init.code);
  const data = init?.data && knownCell(init.data);
  return {
    address,
    timestamp,
    lastTransaction,
    code,
    data,
    hasLibraries: init?.library?.root !== undefined,
    state: {
      account: addressToBytes(address),
      lt: lastTransaction?.lt ?? 0n,
      hash,
      balance: account?.storage.balance.coins ?? 0n,
      balance_extra_currencies: account && v3Currencies(account.storage.balance),
      account_status: codeOf(accountStatuses, state?.kind ?? "nonexist"),
      frozen_hash: state?.kind === "frozen" ? state.stateHash : undefined,
      code_hash: code?.hash,
      data_hash: data?.hash,
    },
  };
}

/** `account_none$0` */
const noAccount = beginCell().storeBit(false).endCell();

/** A nonexistent account with an unknown time. */
export function absentAccount(address: Address): FinalAccountState {
  return finalAccountState(undefined, {
    address,
    hash: noAccount.hash(),
    timestamp: 0,
    lastTransaction: undefined,
  });
}

/** The state of an account read from a liteserver. */
export function snapshotEnd(snapshot: AccountSnapshot): FinalAccountState {
  const { address, cell, account, lastTransaction, syncUtime } = snapshot;
  return finalAccountState(account, {
    address,
    hash: (cell ?? noAccount).hash(),
    timestamp: syncUtime,
    lastTransaction: lastTransaction.lt > 0n ? lastTransaction : undefined,
  });
}

/** A block prunes unchanged code and data, in whole or in part. */
function knownCell(shown: Cell): KnownCell {
  const { physical } = shown;
  return { hash: shown.hash(), cell: physical.levelMask === 0 ? physical : undefined };
}
