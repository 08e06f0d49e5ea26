// _ fees:CurrencyCollection create:CurrencyCollection = ShardFeeCreated;
// _ (HashmapAugE 96 ShardFeeCreated ShardFeeCreated) = ShardFees;
import type { AugDictionary, Augmentation } from "../cells/dictionaries/aug-dictionary.js";
import type { Decoded } from "./codec.js";
import { addCurrencies, CurrencyCollection, noCurrencies } from "./currency-collection.js";
import { hashmapAugE } from "./dictionaries.js";
import { record } from "./record.js";
import { type ShardIdent, shardKey } from "./shard-ident.js";

type ShardFeeCreated = Decoded<typeof ShardFeeCreated>;
const ShardFeeCreated = record("ShardFeeCreated", {
  fees: CurrencyCollection,
  create: CurrencyCollection,
});

const sum: Augmentation<ShardFeeCreated, ShardFeeCreated> = {
  codec: ShardFeeCreated,
  empty: { fees: noCurrencies, create: noCurrencies },
  leaf: (value) => value,
  fork: (a, b) => ({ fees: addCurrencies(a.fees, b.fees), create: addCurrencies(a.create, b.create) }),
};

/** Fees of the shard blocks registered by a masterchain block. */
export type ShardFees = AugDictionary<ShardIdent, ShardFeeCreated, ShardFeeCreated>;
export const ShardFees = hashmapAugE(shardKey, ShardFeeCreated, sum);
