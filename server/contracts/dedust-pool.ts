import { readTyped } from "../../shared/ton/bodies/read.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Answer, type GetMethods, UnexpectedAnswer } from "../../shared/ton/contracts/get-method.js";
import type { StackValue } from "../../shared/ton/tvm/stack.js";
import { Address } from "../../shared/values/address.js";
import { assetAddress, type PoolAsset } from "./dedust-asset.js";

/** A pool of DeDust. The fee of a trade is `fee.numerator / fee.denominator` of it. */
export type DedustPool = {
  isStable: boolean;
  assets: readonly [PoolAsset, PoolAsset];
  reserves: readonly [bigint, bigint];
  fee: { numerator: bigint; denominator: bigint };
};

/** Hashes of the code of pools, upper-case hex. Other contracts have the same get-methods. */
export const dedustPoolCodes = [
  "1275095B6DA3911292406F4F4386F9E780099B854C6DEE9EE2895DDCE70927C1",
  "778F0D3FE6482C50888970DF5E787F40F3A4AB282170C035A5920877058C99D3",
  "C0F9D14FBC8E14F0D72CBA2214165EEE35836AB174130912BAF9DBFA43EAD562",
];
export const dedustV2PoolCodes = [
  "3997A5C1EE8923E93CF3A6A98EA3EF9482C64DD8AEA2BA8365689E14D99C760D",
  "5851780D2386E989B9AB956DA7CEC5C69A667B9E525F628DCBA5EB02C1EE0367",
];
/** Deploys the pools of the first version. */
export const dedustFactory = Address.read(
  "0:5F0564FB5F604783DB57031CE1CF668A88D4D4D6DA6DE4DB222B4B920D6FD800",
)!.address;

const v2FeeDenominator = 10_000n;

/**
 * Reads a pool by `(asset, asset) get_assets()`, `int is_stable()`, `(int, int) get_reserves()` and
 * `(numerator, denominator) get_trade_fee()`, without asking the factory. Throws UnexpectedAnswer or a CellError if the
 * account is none.
 */
export async function readClaimedDedustPool(methods: GetMethods, address: Address): Promise<DedustPool> {
  const assets = await Answer.of(methods, address, "get_assets");
  const stable = await Answer.of(methods, address, "is_stable");
  const reserves = await Answer.of(methods, address, "get_reserves");
  const fee = await Answer.of(methods, address, "get_trade_fee");
  return {
    isStable: stable.flag(0),
    assets: [readAsset(assets, 0), readAsset(assets, 1)],
    reserves: [reserves.int(0), reserves.int(1)],
    fee: { numerator: fee.int(0), denominator: fee.int(1) },
  };
}

/** Throws UnexpectedAnswer unless the factory has this pool for the assets. */
export async function confirmDedustPool(
  methods: GetMethods,
  address: Address,
  { isStable, assets }: Pick<DedustPool, "isStable" | "assets">,
): Promise<void> {
  const stack: StackValue[] = [{ type: "int", value: isStable ? 1n : 0n }, ...assets.map(assetSlice)];
  const known = await Answer.of(methods, dedustFactory, "get_pool_address", stack);
  if (!known.address(0).equals(address))
    throw new UnexpectedAnswer(`the factory ${dedustFactory} has another pool for the assets of ${address}`);
}

/** Reads a pool of the second version, all of which are volatile, by `get_pool_data()`. */
export async function readDedustV2Pool(methods: GetMethods, address: Address): Promise<DedustPool> {
  const data = await Answer.of(methods, address, "get_pool_data");
  return {
    isStable: false,
    assets: [data.maybeAddress(3), data.maybeAddress(4)],
    reserves: [data.int(9), data.int(10)],
    fee: { numerator: data.int(8), denominator: v2FeeDenominator },
  };
}

const native = 0;
const jetton = 1;

function readAsset(answer: Answer, index: number): PoolAsset {
  const asset = readTyped("Asset", answer.slice(index));
  if (!asset) throw new UnexpectedAnswer(`asset ${index} of the pool is neither TON nor a jetton`);
  return assetAddress(asset);
}

function assetSlice(asset: PoolAsset): StackValue {
  const cell = asset
    ? beginCell().storeUint(jetton, 4).storeInt(asset.workchain, 8).storeBytes(asset.hash)
    : beginCell().storeUint(native, 4);
  return { type: "slice", cell: cell.endCell() };
}
