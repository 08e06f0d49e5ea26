import type { Cell } from "../../../shared/ton/cells/cell.js";
import { CellSet } from "../../../shared/ton/cells/cell-set.js";
import type { StorageUsed } from "../../../shared/ton/tlb/account.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import type { GasLimitsPrices } from "../../../shared/ton/tlb/config/gas-prices.js";
import type { MsgForwardPrices, StoragePrices } from "../../../shared/ton/tlb/config/prices.js";

// Fees of the network in nanotons. Prices are in 2^-16 nanotons; sums are rounded up.

/** The parameter of the configuration that has the gas prices and limits of a workchain. */
export function gasParam(workchain: number): 20 | 21 {
  return workchain === masterchain ? 20 : 21;
}

/** Counts the distinct cells of trees, and their bits. */
export function treeSize(roots: Iterable<Cell>): StorageUsed {
  const seen = new CellSet();
  const pending = [...roots];
  let [cells, bits] = [0, 0];
  for (let cell = pending.pop(); cell; cell = pending.pop()) {
    if (!seen.add(cell)) continue;
    cells++;
    bits += cell.bits;
    pending.push(...cell.refs);
  }
  return { cells: BigInt(cells), bits: BigInt(bits) };
}

/** Fee of a message of this size, not counting its root cell. */
export function forwardFee(prices: MsgForwardPrices, { cells, bits }: StorageUsed): bigint {
  return prices.lumpPrice + roundUp(prices.bitPrice * bits + prices.cellPrice * cells);
}

/** Fee of used gas: a flat price up to the flat limit, if there is one. */
export function gasFee({ flat, gasPrice }: GasLimitsPrices, gasUsed: bigint): bigint {
  const { flatGasLimit, flatGasPrice } = flat ?? { flatGasLimit: 0n, flatGasPrice: 0n };
  return gasUsed <= flatGasLimit ? flatGasPrice : flatGasPrice + roundUp(gasPrice * (gasUsed - flatGasLimit));
}

/** Gas that an amount buys, up to the limit of a transaction. */
export function gasBought({ flat, gasPrice, gasLimit }: GasLimitsPrices, amount: bigint): bigint {
  const { flatGasLimit, flatGasPrice } = flat ?? { flatGasLimit: 0n, flatGasPrice: 0n };
  if (amount < flatGasPrice) return 0n;
  if (gasPrice === 0n) return gasLimit;
  const gas = ((amount - flatGasPrice) << 16n) / gasPrice + flatGasLimit;
  return gas < gasLimit ? gas : gasLimit;
}

type Rent = {
  used: StorageUsed;
  /** Unix time of the last payment; 0 for accounts that do not pay. */
  from: number;
  to: number;
  masterchain: boolean;
};

/** Storage fee of a period. `prices` are ascending; each one applies until the next one starts. */
export function storageFee(prices: readonly StoragePrices[], { used, from, to, masterchain }: Rent): bigint {
  if (from === 0) return 0n;
  let sum = 0n;
  prices.forEach((price, index) => {
    const begin = Math.max(from, price.utimeSince);
    const end = Math.min(to, prices[index + 1]?.utimeSince ?? to);
    if (begin >= end) return;
    const perSecond = masterchain
      ? price.mcBitPricePs * used.bits + price.mcCellPricePs * used.cells
      : price.bitPricePs * used.bits + price.cellPricePs * used.cells;
    sum += perSecond * BigInt(end - begin);
  });
  return roundUp(sum);
}

function roundUp(amount: bigint): bigint {
  return (amount + 0xffffn) >> 16n;
}
