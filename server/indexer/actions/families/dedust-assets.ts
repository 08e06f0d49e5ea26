import type { TypedValue } from "../../../../shared/ton/bodies/declared.js";
import { assetAddress } from "../../../contracts/dedust-asset.js";
import { addressText } from "../body.js";
import type { Asset } from "../contracts.js";

/** An asset in bodies of DeDust. */
type DedustAsset = TypedValue<"Asset">;

export function dedustAsset(asset: DedustAsset): Asset {
  return addressText(assetAddress(asset));
}
