import { address, nullable, numeric, word } from "../declare/columns.js";
import { columnsOf, object, orNull } from "../declare/record.js";
import { table } from "../declare/table.js";
import { contractBehaviour, contractColumns } from "./contract-columns.js";

export const dexes = ["dedust", "dedust_v2"] as const;
export const poolTypes = ["volatile", "stable"] as const;

/** Pools of exchanges. An asset is a jetton; null is TON. The fee of a trade is a fraction. */
export const dexPools = table("dex_pools", {
  columns: {
    ...contractColumns,
    dex: word(dexes),
    pool_type: word(poolTypes),
    /** Has confirmed the pool; null where none is asked. */
    factory: nullable(address),
    asset_1: nullable(address),
    asset_2: nullable(address),
    reserve_1: numeric,
    reserve_2: numeric,
    fee_numerator: numeric,
    fee_denominator: numeric,
  },
  ...contractBehaviour,
});

const p = columnsOf("p", dexPools.columns);

/** Facts of a pool that actions need. */
export const dexPoolRecord = object({
  address: p.address,
  dex: p.dex,
  asset_1: orNull(p.asset_1),
  asset_2: orNull(p.asset_2),
});
