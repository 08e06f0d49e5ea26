import type { TypedValue } from "../../shared/ton/bodies/declared.js";
import { Address } from "../../shared/values/address.js";

/** A jetton; `undefined` for TON. */
export type PoolAsset = Address | undefined;

/** The jetton that an asset of DeDust names. */
export function assetAddress(asset: TypedValue<"Asset">): PoolAsset {
  return asset.$type === "native" ? undefined : new Address(Number(asset.workchain_id), asset.address);
}
