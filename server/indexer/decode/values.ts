import type { CurrencyCollection } from "../../../shared/ton/tlb/currency-collection.js";

/** Shards are unsigned in chain/ and signed in the tables. */
export function signedShard(shard: bigint): bigint {
  return BigInt.asIntN(64, shard);
}

/** `{"<id>": "<amount>"}`; `undefined` without extra currencies. */
export function extraCurrencies({ extra }: CurrencyCollection): Record<string, string> | undefined {
  if (!extra.root) return undefined;
  return Object.fromEntries([...extra.entries()].map(([id, amount]) => [id, String(amount)]));
}
