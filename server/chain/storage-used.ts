import { AccountStorage, type StorageUsed } from "../../shared/ton/tlb/account.js";
import { encode } from "../../shared/ton/tlb/codec.js";
import { noCurrencies } from "../../shared/ton/tlb/currency-collection.js";

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
