// Fees of the basechain calculated by hand, with the prices of mainnet and testnet in August 2026.
import type { Cell } from "../../shared/ton/cells/cell.js";

/** In 2^-16 nanotons, except for flat price and lump. */
const prices = {
  flatGas: 100n,
  flatPrice: 6667n,
  gas: 4_369_067n,
  lump: 66_667n,
  bit: 4_369_067n,
  cell: 436_906_667n,
} as const;

const up = (amount: bigint) => (amount + 0xffffn) >> 16n;

export function gasFee(used: bigint): bigint {
  return prices.flatPrice + up(prices.gas * (used - prices.flatGas));
}

/** For a message whose root cell refers to these cells: equal ones count once. */
export function forwardFee(refs: readonly Cell[]): bigint {
  const different = new Map<string, Cell>();
  const add = (cell: Cell) => {
    if (different.has(cell.hashHex())) return;
    different.set(cell.hashHex(), cell);
    cell.refs.forEach(add);
  };
  refs.forEach(add);
  const bits = [...different.values()].reduce((sum, cell) => sum + cell.bits, 0);
  return prices.lump + up(prices.bit * BigInt(bits) + prices.cell * BigInt(different.size));
}
