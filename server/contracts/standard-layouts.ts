import type { Cell } from "../../shared/ton/cells/cell.js";
import type { Slice } from "../../shared/ton/cells/slice.js";
import { addressSlice } from "../../shared/ton/contracts/get-method.js";
import { MsgAddress } from "../../shared/ton/tlb/msg-address.js";
import { ifReadable } from "../../shared/ton/tlb/readable.js";
import type { StackValue } from "../../shared/ton/tvm/stack.js";
import { Address } from "../../shared/values/address.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";

/** The stack that a get-method leaves for these data; `undefined` if it must be run. */
type Layout = (data: Slice, code: Cell) => StackValue[] | undefined;

/** `balance:Coins owner:MsgAddress jetton:MsgAddress code:^Cell` */
const jettonWallet: Layout = (data) => {
  const balance = intOf(data.loadCoins());
  const [owner, jetton] = [loadAddress(data), loadAddress(data)];
  return owner && jetton && [balance, owner, jetton, cellOf(data.loadRef())];
};

/** Data without the code, because the method returns the wallet's own code. */
const jettonWalletOfOwnCode: Layout = (data, code) => {
  const balance = intOf(data.loadCoins());
  const [owner, jetton] = [loadAddress(data), loadAddress(data)];
  return owner && jetton && [balance, owner, jetton, cellOf(code)];
};

/** `status:uint4`, then as before */
const jettonWalletWithStatus: Layout = (data, code) => {
  data.skip(4);
  return jettonWalletOfOwnCode(data, code);
};

/** `index:uint64 collection:MsgAddress owner:MsgAddress content:^Cell` of an initialised item */
const nftItem: Layout = (data) => {
  const index = intOf(data.loadBigUint(64));
  const [collection, owner] = [loadAddress(data), loadAddress(data)];
  return collection && owner && [intOf(-1n), index, collection, owner, cellOf(data.loadRef())];
};

/**
 * `index:uint256 collection:MsgAddress owner:MsgAddress ^Cell content:^Cell authority:MsgAddress revoked_at:uint64`, of which
 * the method reads the authority without returning it
 */
const nftItemWithLongIndex: Layout = (data) => {
  const index = intOf(data.loadBigUint(256));
  const [collection, owner] = [loadAddress(data), loadAddress(data)];
  if (MsgAddress.load(data) !== undefined) return undefined;
  data.skip(64).loadRef();
  const content = cellOf(data.loadRef());
  return collection && owner && [intOf(-1n), index, collection, owner, content];
};

/**
 * Codes whose get-method only returns values of their data, by base64 hash. Reading the data takes a hundredth of the
 * time of a run. A test also runs the methods of all of them.
 */
export const layouts: Readonly<Record<string, Readonly<Record<string, Layout>>>> = {
  get_wallet_data: {
    // Codes of @ton-community/assets-sdk
    "p2DWKdU0PnbQRQF9ncIW/IoweoN3gV/rKwpcSQ5zNIY=": jettonWallet,
    // Governed jettons, such as USDT
    "iUaPAseOVwgC45l5yFFvw43wfqdqSDV+BTbyuns+43s=": jettonWalletWithStatus,
    "7ZEGatNu46qv8p542yh6y1E3YpLqDgG8obksl83wQhs=": jettonWalletOfOwnCode,
    "jSjqQht36AX+pSrPM1KWSZ8Drsjp/SHdtfJWSqZcSN4=": jettonWalletWithStatus,
    "vxMEF1DyvutoiFnHVoniwYuckL146XsZeq161rxSDIQ=": jettonWallet,
  },
  get_nft_data: {
    "uk2XXStmIxwfCgzMpuj/j3ugYQxLdjlYS46YMD3DEow=": nftItem,
    "078/jKw2o/Lgl403gBnKuH1d9KtCOcNG/LakQXxgtew=": nftItemWithLongIndex,
  },
};

/** The result of a get-method without parameters, if the layout of the data is known and they fit; first value first. */
export function readByLayout(method: string, code: Cell, data: Cell): StackValue[] | undefined {
  const layout = layouts[method]?.[bytesToBase64(code.hash())];
  if (!layout || data.exotic) return undefined;
  const slice = data.parse();
  return ifReadable(() => {
    const stack = layout(slice, code);
    return slice.remainingBits === 0 && slice.remainingRefs === 0 ? stack : undefined;
  });
}

/** Only plain standard addresses are read here. */
function loadAddress(data: Slice): StackValue | undefined {
  const address = MsgAddress.load(data);
  return address instanceof Address ? addressSlice(address) : undefined;
}

function intOf(value: bigint): StackValue {
  return { type: "int", value };
}

function cellOf(cell: Cell): StackValue {
  return { type: "cell", cell };
}
