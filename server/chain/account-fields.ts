import { Cell } from "../../shared/ton/cells/cell.js";
import { AccountStorage, type ExistingAccount, type StorageUsed } from "../../shared/ton/tlb/account.js";
import { encode } from "../../shared/ton/tlb/codec.js";
import { noCurrencies, onlyCoins } from "../../shared/ton/tlb/currency-collection.js";
import { stateInitOf } from "../../shared/ton/tlb/state-init.js";
import type { Address } from "../../shared/values/address.js";

/** New values of an account; absent members stay unchanged. */
export type AccountFields = {
  balance?: bigint | undefined;
  code?: Cell | undefined;
  data?: Cell | undefined;
};

/**
 * Storage with new values. Code and data activate an account that is not active, with an empty cell for the one that is
 * not given.
 */
export function withFields(storage: AccountStorage, { balance, code, data }: AccountFields): AccountStorage {
  const { state } = storage;
  const init = state.kind === "active" ? state.init : stateInitOf(Cell.empty, Cell.empty);
  const changed = { ...init, ...(code && { code }), ...(data && { data }) };
  return {
    ...storage,
    ...(balance !== undefined && { balance: { ...storage.balance, coins: balance } }),
    ...((code || data) && { state: { kind: "active", init: changed } }),
  };
}

/** An account with other contents, and the storage that they use. */
export function withStorage(account: ExistingAccount, storage: AccountStorage): ExistingAccount {
  const storageStat = {
    ...account.storageStat,
    used: storageUsed(storage),
    // A large account's dictionary of cells is rebuilt by its next transaction.
    storageExtra: { kind: "none" } as const,
  };
  return { ...account, storageStat, storage };
}

/** An account without coins, code and data. It pays storage fees from `utime` on. */
export function emptyAccount(address: Address, utime: number): ExistingAccount {
  const storage: AccountStorage = { lastTransLt: 0n, balance: onlyCoins(0n), state: { kind: "uninit" } };
  const storageStat = {
    used: storageUsed(storage),
    storageExtra: { kind: "none" } as const,
    lastPaid: utime,
    duePayment: undefined,
  };
  return { addr: address, storageStat, storage };
}

/** The distinct cells and bits that an account pays storage fees for. Extra currencies are free. */
export function storageUsed(storage: AccountStorage): StorageUsed {
  const balance = { ...storage.balance, extra: noCurrencies.extra };
  const seen = new Set<string>();
  let bits = 0;
  const pending = [encode(AccountStorage, { ...storage, balance })];
  for (let cell = pending.pop(); cell; cell = pending.pop()) {
    const hash = cell.hashHex();
    if (seen.has(hash)) continue;
    seen.add(hash);
    bits += cell.bits;
    pending.push(...cell.refs);
  }
  return { cells: BigInt(seen.size), bits: BigInt(bits) };
}
