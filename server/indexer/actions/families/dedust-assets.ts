import { Address } from "../../../../shared/values/address.js";
import type { BodyFields } from "../../../contracts/bodies/declared.js";
import type { Asset } from "../contracts.js";

/** An asset as bodies of DeDust name it. */
export type DedustAsset = BodyFields<"dedust_deposit_asset">["asset"];

export function dedustAsset(asset: DedustAsset): Asset {
  return asset.$type === "native"
    ? undefined
    : new Address(Number(asset.workchain_id), asset.address).toRawUpper();
}
