// extra_currencies$_ dict:(HashmapE 32 (VarUInteger 32)) = ExtraCurrencyCollection;
// currencies$_ grams:Grams other:ExtraCurrencyCollection = CurrencyCollection;
import { type Dictionary, uintKey } from "../cells/dictionaries/dictionary.js";
import { type Decoded, TlbError } from "./codec.js";
import { hashmapE } from "./dictionaries.js";
import { coins, varUint } from "./primitives.js";
import { record } from "./record.js";

/** Amounts of extra currencies by unsigned id. */
export type ExtraCurrencyCollection = Dictionary<number, bigint>;
export const ExtraCurrencyCollection = hashmapE(uintKey(32), varUint(5));

/** An amount: `coins` in nanotons, and extra currencies. */
export type CurrencyCollection = Decoded<typeof CurrencyCollection>;
export const CurrencyCollection = record("currencies$_", { coins, extra: ExtraCurrencyCollection });

export const noCurrencies: CurrencyCollection = { coins: 0n, extra: ExtraCurrencyCollection.empty };

export function onlyCoins(amountOfCoins: bigint): CurrencyCollection {
  return { coins: amountOfCoins, extra: noCurrencies.extra };
}

export function addCurrencies(a: CurrencyCollection, b: CurrencyCollection): CurrencyCollection {
  return { coins: a.coins + b.coins, extra: combine(a.extra, b.extra, 1n) };
}

/** Throws `TlbError` if `a` has less of any currency than `b`. */
export function subtractCurrencies(a: CurrencyCollection, b: CurrencyCollection): CurrencyCollection {
  if (a.coins < b.coins) throw new TlbError(`${a.coins} nanotons are less than ${b.coins}`);
  return { coins: a.coins - b.coins, extra: combine(a.extra, b.extra, -1n) };
}

export function sameCurrencies(a: CurrencyCollection, b: CurrencyCollection): boolean {
  if (a.coins !== b.coins) return false;
  const [left, right] = [a.extra.root, b.extra.root];
  return left && right ? left.equals(right) : left === right;
}

function combine(
  a: ExtraCurrencyCollection,
  b: ExtraCurrencyCollection,
  sign: bigint,
): ExtraCurrencyCollection {
  if (!b.root) return a;
  if (!a.root && sign === 1n) return b;
  const changes = [...b.entries()].map(([id, change]): [number, bigint | undefined] => {
    const sum = (a.get(id) ?? 0n) + sign * change;
    if (sum < 0n) throw new TlbError(`extra currency ${id}: ${a.get(id) ?? 0n} is less than ${change}`);
    return [id, sum === 0n ? undefined : sum];
  });
  return a.update(changes);
}
