import { describe, expect, it } from "vitest";
import { readAuctionTerms, readDeployedState, readSaleTerms } from "../../server/contracts/sale-init.js";
import { type Builder, beginCell } from "../../shared/ton/cells/builder.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { encode } from "../../shared/ton/tlb/codec.js";
import { StateInit, stateInitOf } from "../../shared/ton/tlb/state-init.js";
import { Address } from "../../shared/values/address.js";

const [marketplace, item, owner, fees, royalties] = [1, 2, 3, 4, 5].map(
  (byte) => new Address(0, new Uint8Array(32).fill(byte)),
) as [Address, Address, Address, Address, Address];

const cell = (...parts: ((to: Builder) => Builder)[]): Cell =>
  parts.reduce((to, part) => part(to), beginCell()).endCell();
const at = (address: Address | undefined) => (to: Builder) => to.storeAddress(address);
const coins = (amount: bigint) => (to: Builder) => to.storeCoins(amount);
const uint = (value: number, bits: number) => (to: Builder) => to.storeUint(value, bits);
const ref = (inner: Cell) => (to: Builder) => to.storeRef(inner);

describe("The terms of a sale", () => {
  const head = [at(marketplace), at(item), at(owner), coins(1000n)];
  const amounts = {
    marketplace,
    fullPrice: 1000n,
    fee: { address: fees, amount: 50n },
    royalty: { address: royalties, amount: 70n },
  };
  const inAddresses = ref(cell(at(fees), coins(50n), at(royalties), coins(70n)));

  it("have the fee before its receiver in version 1", () => {
    const feesFirst = ref(cell(coins(50n), at(fees), at(royalties), coins(70n)));
    const codeHash = "2pufziLofEllctIDZSWVebzO+RpyA1fMvowFLvyb4I8=";
    expect(readSaleTerms({ codeHash, data: cell(...head, feesFirst) })).toEqual(amounts);
  });

  it.each([
    ["2", "gnj0xSM95vvtyWmvUZNEp6m//FRIVtuphqlcC8+Fcck="],
    ["3", "MgUN+sRPZIZrzIbyzZ4TBf6dyts5WcACI3z7CQLUQyM="],
    ["3, second revision", "3rU7bFdlwebNI4v0e8XoO6WWvcwEsLhM1Qqx5HSgjzE="],
    ["3, third revision", "JCIfpXHlQuBVx3vt/b9SfHr0YM/cfzRMRQeHtM+h600="],
  ])("follow a time in version %s", (_, codeHash) => {
    const data = cell(uint(0, 1), uint(1_700_000_000, 32), ...head, inAddresses);
    expect(readSaleTerms({ codeHash, data })).toEqual(amounts);
  });

  it.each([
    ["version 4", "a5WmQYucnSNZBF0edVm41UmuDlBvJMqrWPowyPsf64Y="],
    ["unknown code", Buffer.alloc(32).toString("base64")],
    ["no code", undefined],
  ])("have no amounts of fees with %s", (_, codeHash) => {
    const shares = ref(cell(at(fees), at(royalties), uint(5000, 17), uint(7000, 17)));
    const data = cell(uint(0, 1), at(marketplace), at(owner), coins(1000n), uint(0, 32), uint(0, 64), shares);
    expect(readSaleTerms({ codeHash, data })).toEqual({
      marketplace,
      fullPrice: 1000n,
      fee: { address: fees, amount: undefined },
      royalty: { address: royalties, amount: undefined },
    });
  });

  it("are none of data that end before", () => {
    expect(() => readSaleTerms({ codeHash: undefined, data: Cell.empty })).toThrow();
    const codeHash = "2pufziLofEllctIDZSWVebzO+RpyA1fMvowFLvyb4I8=";
    expect(() => readSaleTerms({ codeHash, data: cell(...head) })).toThrow();
  });
});

describe("The terms of an auction", () => {
  const terms = {
    fee: { address: fees, factor: 5n, base: 100n },
    royalty: { address: royalties, factor: 7n, base: 1000n },
    minBid: 10n,
    maxBid: 900n,
  };
  const factor = [uint(5, 32), uint(100, 32)];
  const royaltyFactor = [uint(7, 32), uint(1000, 32)];
  const together = ref(cell(at(fees), ...factor, at(royalties), ...royaltyFactor));
  const bids = [coins(10n), coins(900n), coins(1n), uint(60, 32)];
  const constants = ref(cell(at(marketplace), ...bids));
  const lastBid = [at(undefined), coins(0n), uint(0, 32), uint(1_800_000_000, 32)];
  const query = [at(owner), uint(0, 64)];

  it.each([
    ["version 1", "/ACindAgW83MDT/7nKOMw8jBWexg2KpUMkCpLxBZLUA=", [uint(0, 1), together, ref(cell(...bids))]],
    [
      "version 3, second revision",
      "G9nFo5v/t6DzQViLXdkrgTqEK/Ze8UEJOCIAzq+Pct8=",
      [uint(0, 3), ...lastBid, together, ref(cell(uint(9, 32), at(marketplace), ...bids))],
    ],
    [
      "version 3, third revision",
      "u29ireD+stefqzuK6/CTCvmFU99gCTsgJ/Covxab/Ow=",
      [
        uint(0, 2),
        ...lastBid,
        ...query,
        ...factor,
        ...royaltyFactor,
        ref(cell(at(fees), at(royalties))),
        constants,
      ],
    ],
    [
      "version 4",
      "zlp4U06qps7tja/UhtB262CpsNbb+1Nnb2YmScBomVY=",
      [
        uint(0, 2),
        ...lastBid,
        ...query,
        ref(cell(at(fees), at(royalties), ...factor, ...royaltyFactor)),
        constants,
      ],
    ],
  ])("are read from %s", (_, codeHash, parts) => {
    expect(readAuctionTerms({ codeHash, data: cell(...parts) })).toEqual(terms);
  });

  it("are read from unknown code like the last revision of version 3", () => {
    const shares = [...factor, ...royaltyFactor, ref(cell(at(fees), at(royalties)))];
    const data = cell(uint(0, 2), ...lastBid, ...query, ...shares, constants);
    expect(readAuctionTerms({ codeHash: undefined, data })).toEqual(terms);
  });

  it("are none of version 2, and of data that end before", () => {
    const codeHash = "ZmiHL6eXBUQ//UdSPo6eqfdquZ+aC1nSfej4GhwnudQ=";
    expect(() => readAuctionTerms({ codeHash, data: cell(together, constants) })).toThrow("version 2");
    expect(() => readAuctionTerms({ codeHash: undefined, data: Cell.empty })).toThrow();
  });
});

describe("The state that a contract was deployed with", () => {
  const code = cell(uint(1, 8));
  const data = cell(uint(2, 8));

  it("is the hash of its code and its data", () => {
    const init = encode(StateInit, stateInitOf(code, data));
    expect(readDeployedState(init)).toEqual({ codeHash: Buffer.from(code.hash()).toString("base64"), data });
    const withoutCode = encode(StateInit, { ...stateInitOf(code, data), code: undefined });
    expect(readDeployedState(withoutCode)).toEqual({ codeHash: undefined, data });
  });

  it("has data", () => {
    const init = encode(StateInit, { ...stateInitOf(code, data), data: undefined });
    expect(() => readDeployedState(init)).toThrow("without data");
    expect(() => readDeployedState(Cell.empty)).toThrow();
  });
});
