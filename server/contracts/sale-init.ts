import type { Cell } from "../../shared/ton/cells/cell.js";
import { CellError } from "../../shared/ton/cells/cell-error.js";
import type { Slice } from "../../shared/ton/cells/slice.js";
import { decode } from "../../shared/ton/tlb/codec.js";
import { StateInit } from "../../shared/ton/tlb/state-init.js";
import type { Address } from "../../shared/values/address.js";
import { bytesToBase64 } from "../../shared/values/bytes.js";

// Terms of the sales and auctions of getgems, as their contracts were deployed with them: afterwards they change.

type Amount = { readonly address: Address | undefined; readonly amount: bigint | undefined };

/** Amounts are nanotons. Version 4 has shares instead of the two amounts, which are not read. */
type SaleTerms = {
  readonly marketplace: Address | undefined;
  readonly fullPrice: bigint;
  readonly fee: Amount;
  readonly royalty: Amount;
};

type Share = { readonly address: Address | undefined; readonly factor: bigint; readonly base: bigint };

type AuctionTerms = {
  readonly fee: Share;
  readonly royalty: Share;
  readonly minBid: bigint;
  readonly maxBid: bigint;
};

/** The code of a contract, by its hash in base64, and the data that it was deployed with. */
type DeployedState = { readonly codeHash: string | undefined; readonly data: Cell };

/** Throws if there is no data. */
export function readDeployedState(init: Cell): DeployedState {
  const { code, data } = decode(StateInit, init);
  if (data === undefined) throw new CellError("invalid", "a contract was deployed without data");
  return { codeHash: code && bytesToBase64(code.hash()), data };
}

/** Unknown code counts as version 4. Throws if the data does not fit. */
export function readSaleTerms({ codeHash = "", data }: DeployedState): SaleTerms {
  return (sales.get(codeHash) ?? readSaleV4)(data.parse());
}

/** Unknown code counts as the last revision of version 3. Throws if the data does not fit. */
export function readAuctionTerms({ codeHash = "", data }: DeployedState): AuctionTerms {
  return (auctions.get(codeHash) ?? readAuctionV3R3)(data.parse());
}

const sales: ReadonlyMap<string, (data: Slice) => SaleTerms> = new Map([
  ["2pufziLofEllctIDZSWVebzO+RpyA1fMvowFLvyb4I8=", readSaleV1],
  ["gnj0xSM95vvtyWmvUZNEp6m//FRIVtuphqlcC8+Fcck=", readSaleV2],
  ["MgUN+sRPZIZrzIbyzZ4TBf6dyts5WcACI3z7CQLUQyM=", readSaleV2],
  ["3rU7bFdlwebNI4v0e8XoO6WWvcwEsLhM1Qqx5HSgjzE=", readSaleV2],
  ["JCIfpXHlQuBVx3vt/b9SfHr0YM/cfzRMRQeHtM+h600=", readSaleV2],
  ["a5WmQYucnSNZBF0edVm41UmuDlBvJMqrWPowyPsf64Y=", readSaleV4],
]);

const auctions: ReadonlyMap<string, (data: Slice) => AuctionTerms> = new Map([
  ["/ACindAgW83MDT/7nKOMw8jBWexg2KpUMkCpLxBZLUA=", readAuctionV1],
  ["ZmiHL6eXBUQ//UdSPo6eqfdquZ+aC1nSfej4GhwnudQ=", refuseAuction],
  ["G9nFo5v/t6DzQViLXdkrgTqEK/Ze8UEJOCIAzq+Pct8=", readAuctionV3R2],
  ["u29ireD+stefqzuK6/CTCvmFU99gCTsgJ/Covxab/Ow=", readAuctionV3R3],
  ["zlp4U06qps7tja/UhtB262CpsNbb+1Nnb2YmScBomVY=", readAuctionV4],
]);

/** marketplace, item, owner, price, ^[fee, its receiver, receiver of the royalty, royalty] */
function readSaleV1(data: Slice): SaleTerms {
  const { fees, ...sale } = readSale(data);
  const amount = fees.loadCoins();
  const fee = { address: fees.loadAddress(), amount };
  return { ...sale, fee, royalty: loadAmount(fees) };
}

/** is_complete:uint1 created_at:uint32 and the same, the receiver before the fee: versions 2 and 3 */
function readSaleV2(data: Slice): SaleTerms {
  const { fees, ...sale } = readSale(data.skip(1 + 32));
  return { ...sale, fee: loadAmount(fees), royalty: loadAmount(fees) };
}

function readSale(data: Slice) {
  const marketplace = data.loadAddress();
  data.loadAddress();
  data.loadAddress();
  return { marketplace, fullPrice: data.loadCoins(), fees: data.loadRef().parse() };
}

function loadAmount(from: Slice): Amount {
  return { address: from.loadAddress(), amount: from.loadCoins() };
}

/** is_complete:uint1 marketplace, owner, price, …, ^[receiver of the fee, receiver of the royalty, …] */
function readSaleV4(data: Slice): SaleTerms {
  const marketplace = data.skip(1).loadAddress();
  data.loadAddress();
  const fullPrice = data.loadCoins();
  const fixed = data.loadRef().parse();
  const loadReceiver = (): Amount => ({ address: fixed.loadAddress(), amount: undefined });
  return { marketplace, fullPrice, fee: loadReceiver(), royalty: loadReceiver() };
}

/** …, ^fees, ^[min_bid max_bid …] */
function readAuctionV1(data: Slice): AuctionTerms {
  const shares = readShares(data.loadRef().parse());
  return { ...shares, ...loadBids(data.loadRef().parse()) };
}

/** Version 2 is not read. */
function refuseAuction(): never {
  throw new CellError("invalid", "auctions of version 2 cannot be read");
}

/** …, ^fees, ^[:uint32 marketplace, min_bid max_bid …] */
function readAuctionV3R2(data: Slice): AuctionTerms {
  const shares = readShares(data.loadRef().parse());
  return { ...shares, ...readBids(data.loadRef().parse().skip(32)) };
}

/**
 * :uint2 last_member, last_bid:Coins last_bid_at:uint32 end_time:uint32 owner, query_id:uint64, factors,
 * ^[receivers of the fees], ^[marketplace, min_bid max_bid …]
 */
function readAuctionV3R3(data: Slice): AuctionTerms {
  data.skip(2).loadAddress();
  data.loadCoins();
  data.skip(32 + 32).loadAddress();
  data.skip(64);
  const shares = readSharesApart(data.loadRef().parse(), data);
  return { ...shares, ...readBids(data.loadRef().parse()) };
}

/** …, ^[receivers of the fees, factors], ^[marketplace, min_bid max_bid …] */
function readAuctionV4(data: Slice): AuctionTerms {
  const fees = data.loadRef().parse();
  const shares = readSharesApart(fees, fees);
  return { ...shares, ...readBids(data.loadRef().parse()) };
}

type Shares = Pick<AuctionTerms, "fee" | "royalty">;

/** receiver, factor:uint32 base:uint32 of the fee, then of the royalty */
function readShares(from: Slice): Shares {
  const load = (): Share => ({ address: from.loadAddress(), ...loadFactor(from) });
  return { fee: load(), royalty: load() };
}

/** Both receivers, and both factors behind them or elsewhere. */
function readSharesApart(receivers: Slice, factors: Slice): Shares {
  const [fee, royalty] = [receivers.loadAddress(), receivers.loadAddress()];
  return {
    fee: { address: fee, ...loadFactor(factors) },
    royalty: { address: royalty, ...loadFactor(factors) },
  };
}

function loadFactor(from: Slice) {
  return { factor: from.loadBigUint(32), base: from.loadBigUint(32) };
}

function readBids(from: Slice) {
  from.loadAddress();
  return loadBids(from);
}

function loadBids(from: Slice) {
  return { minBid: from.loadCoins(), maxBid: from.loadCoins() };
}
