// gas_prices#dd gas_price:uint64 gas_limit:uint64 gas_credit:uint64
//   block_gas_limit:uint64 freeze_due_limit:uint64 delete_due_limit:uint64 = GasLimitsPrices;
// gas_prices_ext#de gas_price:uint64 gas_limit:uint64 special_gas_limit:uint64 gas_credit:uint64
//   block_gas_limit:uint64 freeze_due_limit:uint64 delete_due_limit:uint64 = GasLimitsPrices;
// gas_flat_pfx#d1 flat_gas_limit:uint64 flat_gas_price:uint64 other:GasLimitsPrices = GasLimitsPrices;
import { codec, type Decoded } from "../codec.js";
import { uint64 } from "../primitives.js";
import { choice, record } from "../record.js";
import { startsWith, tagOf } from "../tag.js";

const limits = { gasCredit: uint64, blockGasLimit: uint64, freezeDueLimit: uint64, deleteDueLimit: uint64 };
const prices = choice("GasLimitsPrices", {
  plain: record("gas_prices#dd", { gasPrice: uint64, gasLimit: uint64, ...limits }),
  ext: record("gas_prices_ext#de", {
    gasPrice: uint64,
    gasLimit: uint64,
    specialGasLimit: uint64,
    ...limits,
  }),
});

const flatName = "gas_flat_pfx#d1";
const flatTag = tagOf(flatName);
const flat = record(flatName, { flatGasLimit: uint64, flatGasPrice: uint64 });

/** ConfigParam 20 (masterchain) and 21. Up to the flat limit, gas costs the flat price. */
export type GasLimitsPrices = Decoded<typeof prices> & { flat: Decoded<typeof flat> | undefined };
export const GasLimitsPrices = codec<GasLimitsPrices>(
  "GasLimitsPrices",
  (slice) => {
    const prefix = startsWith(slice, flatTag) ? flat.load(slice) : undefined;
    return { ...prices.load(slice), flat: prefix };
  },
  (value, builder) => {
    if (value.flat) flat.store(value.flat, builder);
    prices.store(value, builder);
  },
);
