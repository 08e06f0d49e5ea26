import {
  confirmDedustPool,
  type DedustPool,
  dedustFactory,
  dedustPoolCodes,
  dedustV2PoolCodes,
  readClaimedDedustPool,
  readDedustV2Pool,
} from "../../contracts/dedust-pool.js";
import { addressFromBytes, addressToBytes } from "../../store/address-bytes.js";
import { codeOf } from "../../store/codes.js";
import { tables } from "../../store/tables/all-tables.js";
import { dexes, poolTypes } from "../../store/tables/dex-pools.js";
import { detector } from "./detector.js";

const stable = codeOf(poolTypes, "stable");

export const dexPool = detector({
  table: tables.dexPools,
  versions: [
    ...dedustPoolCodes.map((codeHash) => ({
      needs: ["get_assets", "is_stable", "get_reserves", "get_trade_fee"],
      codeHash,
      read: async (...at: Parameters<typeof readClaimedDedustPool>) =>
        poolColumns("dedust", await readClaimedDedustPool(...at)),
    })),
    ...dedustV2PoolCodes.map((codeHash) => ({
      needs: ["get_pool_data"],
      codeHash,
      read: async (...at: Parameters<typeof readDedustV2Pool>) =>
        poolColumns("dedust_v2", await readDedustV2Pool(...at)),
    })),
  ],
  ownerLink: {
    owner: "factory",
    by: ["pool_type", "asset_1", "asset_2"],
    confirm: (methods, address, { pool_type, asset_1, asset_2 }) =>
      confirmDedustPool(methods, address, {
        isStable: pool_type === stable,
        assets: [asset_1 && addressFromBytes(asset_1), asset_2 && addressFromBytes(asset_2)],
      }),
  },
});

function poolColumns(dex: (typeof dexes)[number], { isStable, assets, reserves, fee }: DedustPool) {
  const [first, second] = assets;
  return {
    dex: codeOf(dexes, dex),
    pool_type: codeOf(poolTypes, isStable ? "stable" : "volatile"),
    factory: dex === "dedust" ? addressToBytes(dedustFactory) : undefined,
    asset_1: first && addressToBytes(first),
    asset_2: second && addressToBytes(second),
    reserve_1: reserves[0],
    reserve_2: reserves[1],
    fee_numerator: fee.numerator,
    fee_denominator: fee.denominator,
  };
}
