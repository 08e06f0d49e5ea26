import { describe, expect, it } from "vitest";
import { forwardFee, gasFee, storageFee, treeSize } from "../../../server/chain/run/fees.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";

const used = { cells: 2n, bits: 100n };
const period = (utimeSince: number, price: bigint) => ({
  utimeSince,
  bitPricePs: price,
  cellPricePs: price * 500n,
  mcBitPricePs: price * 1000n,
  mcCellPricePs: price * 500_000n,
});

describe("storage fees", () => {
  const prices = [period(1000, 1n), period(2000, 2n), period(3000, 0n)];
  const rent = (from: number, to: number, masterchain = false) =>
    storageFee(prices, { used, from, to, masterchain });
  /** One second of all cells and bits at price 1, in 2^-16 nanotons. */
  const second = 2n * 500n + 100n;
  const roundedUp = (amount: bigint) => (amount + 65535n) / 65536n;

  it("apply the price of each period, and are rounded up once", () => {
    expect(rent(1500, 1600)).toBe(roundedUp(100n * second));
    expect(rent(1500, 2500)).toBe(roundedUp(500n * second + 500n * 2n * second));
    expect(rent(1500, 4000)).toBe(roundedUp(500n * second + 1000n * 2n * second));
    expect(rent(1500, 1600, true)).toBe(roundedUp(100n * 1000n * second));
  });

  it("are zero without elapsed time, before the first price, and for accounts that do not pay", () => {
    expect([rent(1500, 1500), rent(1600, 1500), rent(500, 900), rent(0, 5000)]).toEqual([0n, 0n, 0n, 0n]);
    expect(rent(500, 1100)).toBe(roundedUp(100n * second));
    expect(storageFee([], { used, from: 1, to: 2, masterchain: false })).toBe(0n);
  });
});

describe("gas", () => {
  const prices = {
    kind: "plain",
    gasPrice: 65_537n,
    gasLimit: 0n,
    gasCredit: 0n,
    blockGasLimit: 0n,
    freezeDueLimit: 0n,
    deleteDueLimit: 0n,
  } as const;

  it("has a flat price up to the flat limit", () => {
    const flat = { flatGasLimit: 100n, flatGasPrice: 40_000n };
    const fee = (used: bigint) => gasFee({ ...prices, flat }, used);
    expect([fee(0n), fee(100n), fee(101n), fee(300n)]).toEqual([40_000n, 40_000n, 40_002n, 40_201n]);
    expect(gasFee({ ...prices, flat: undefined }, 10n)).toBe(11n);
  });
});

describe("forward fees", () => {
  const prices = {
    lumpPrice: 1000n,
    bitPrice: 65_536n,
    cellPrice: 65_536n * 100n,
    ihrPriceFactor: 0,
    firstFrac: 0,
    nextFrac: 0,
  };

  it("count each distinct cell once", () => {
    const shared = beginCell().storeUint(1, 10).endCell();
    const root = beginCell().storeRef(shared).storeRef(shared).endCell();
    expect(treeSize([root, shared])).toEqual({ cells: 2n, bits: 10n });
    expect(treeSize([])).toEqual({ cells: 0n, bits: 0n });
    expect(forwardFee(prices, treeSize(root.refs))).toBe(1000n + 10n + 100n);
  });

  it("are computed quickly for a tree of exponential size", () => {
    let cell = Cell.empty;
    for (let i = 0; i < 500; i++) cell = beginCell().storeRef(cell).storeRef(cell).endCell();
    expect(treeSize([cell])).toEqual({ cells: 501n, bits: 0n });
  });
});
