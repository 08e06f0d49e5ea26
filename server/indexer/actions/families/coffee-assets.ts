import type { BodyFields } from "../../../../shared/ton/bodies/declared.js";
import { Address } from "../../../../shared/values/address.js";
import type { Asset } from "../contracts.js";

/** An asset in bodies of swap.coffee. */
export type CoffeeAsset = BodyFields<"coffee_create_vault">["asset"];

/** An extra currency has no address and counts as TON. */
export function coffeeAsset(asset: CoffeeAsset): Asset {
  if (asset.$type !== "jetton") return undefined;
  const hash = asset.hash.toString(16).padStart(64, "0");
  return new Address(Number(BigInt.asIntN(8, asset.chain)), Buffer.from(hash, "hex")).toRawUpper();
}
