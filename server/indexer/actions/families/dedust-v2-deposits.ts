import type { AfterPass } from "../after-pass.js";
import type { Block } from "../block.js";
import { BlockKind } from "../block-kind.js";
import { addressText, fieldsOf, tryFieldsIn } from "../body.js";
import type { Asset } from "../contracts.js";
import { cancel, type Match, type Matcher } from "../matcher.js";
import { call, made } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { carriedBy, carrier, excess, paidBy, payout, requestIn } from "./dedust-v2.js";
import { jettonTransferKind } from "./jettons.js";
import { depositMembers, type Excess } from "./liquidity.js";
import { byLt } from "./swaps.js";

const creditAsset = 0xdc5ddba1;
const join = 0x25251ee0;
const depositEvent = 0x35df2e12;
/** The pool credits the position, which sends the excess. */
const creditLiquidity = 0x855afcbd;

/** One deposited asset; asset and wallet are known only for a side with a known carrier. */
type Side = {
  readonly amount: bigint | undefined;
  readonly asset: Asset;
  readonly wallet: AddressText | undefined;
  /** The amount to be deposited. */
  readonly target: bigint | undefined;
};

type Deposit = {
  readonly owner: AddressText | undefined;
  readonly pool: AddressText | undefined;
  /** The contract that collects both sides. */
  readonly contract: AddressText | undefined;
  /** The side delivered by the carrier. */
  readonly own: 0 | 1;
  readonly sides: readonly [Side, Side];
  readonly lp: bigint | undefined;
  readonly excesses: readonly Excess[];
};

function membersOf({ owner, pool, contract, sides, lp }: Deposit) {
  return { source: owner, pool, collector: contract, ...depositMembers("dedust_v2", sides, lp) };
}

/** A deposit with both sides delivered to the pool. */
const dedustV2DepositKind = new BlockKind("dedust_v2_deposit_liquidity", {
  type: "dex_deposit_liquidity",
  isLeaf: true,
  row: (deposit: Deposit) => {
    const [first, second] = deposit.sides;
    return {
      ...membersOf(deposit),
      target_asset_1: first.asset,
      target_amount_1: first.target,
      target_asset_2: second.asset,
      target_amount_2: second.target,
      vault_excesses: deposit.excesses,
    };
  },
});

/** One side of a deposit, waiting for the other one. */
const dedustV2PartialDepositKind = new BlockKind("dedust_v2_deposit_liquidity_partial", {
  type: "dex_deposit_liquidity",
  isLeaf: true,
  row: membersOf,
});

const credit = call(creditAsset).withoutExcess().as("credit").precededBy(carrier);
const jettonRefund = made(jettonTransferKind).as("jettons").optional();
const tonRefund = call(payout).withoutExcess().as("ton").optional();

export const dedustV2Deposit: Matcher = {
  name: "dedust v2 deposit",
  pattern: call(join)
    .precededBy(credit)
    .followedBy([
      call(depositEvent).withoutExcess().as("event"),
      call(creditLiquidity).optional(),
      jettonRefund,
      jettonRefund,
      tonRefund,
    ]),
  build: (match) => {
    const { amount_x, amount_y, lp } = fieldsOf("dedust_v2_deposit_event", match.get("event"));
    const deposit = joinedDeposit(match, { amounts: [amount_x, amount_y], lp });
    if (!deposit) return cancel("a refund goes to another account");
    return dedustV2DepositKind.build(deposit);
  },
};

export const dedustV2RejectedDeposit: Matcher = {
  name: "dedust v2 rejected deposit",
  pattern: call(join)
    .where(
      "without deposit event",
      ({ followers }) => !followers.some(({ opcode }) => opcode === depositEvent),
    )
    .precededBy(credit)
    .followedBy([jettonRefund, jettonRefund, tonRefund, excess]),
  build: (match) => {
    const { amount_x, amount_y } = fieldsOf("dedust_v2_join", match.anchor);
    const deposit = joinedDeposit(match, { amounts: [amount_x, amount_y], lp: undefined });
    if (!deposit) return cancel("a refund goes to another account");
    if (deposit.excesses.length === 0) return cancel("nothing was given back");
    return dedustV2DepositKind.build(deposit, { isFailed: true });
  },
};

type Minted = { readonly amounts: readonly [bigint, bigint]; readonly lp: bigint | undefined };

/** Undefined if a refund goes to another account than the depositor's. */
function joinedDeposit(match: Match, { amounts, lp }: Minted): Deposit | undefined {
  const { anchor } = match;
  const owner = addressText(fieldsOf("dedust_v2_join", anchor).initiator);
  const refunds = [...byLt(match.all("jettons")), ...match.all("ton")].map(paidBy);
  if (refunds.some(({ destination }) => destination !== owner)) return undefined;
  const own = sideOf(match.get("credit"));
  const sides = sidesOf(match, own);
  return {
    owner,
    pool: anchor.destination,
    contract: anchor.source,
    own,
    sides: [
      { ...sides[0], amount: amounts[0] },
      { ...sides[1], amount: amounts[1] },
    ],
    lp,
    excesses: refunds.map(({ asset, amount }) => ({ asset, amount })),
  };
}

export const dedustV2PartialDeposit: Matcher = {
  name: "dedust v2 partial deposit",
  pattern: call(creditAsset).precededBy(carrier).followedBy(excess),
  build: (match) => {
    const { anchor } = match;
    const own = sideOf(anchor);
    const { amount } = fieldsOf("dedust_v2_credit_asset", anchor);
    const [first, second] = sidesOf(match, own);
    const deposit: Deposit = {
      owner: match.get("in").source,
      pool: anchor.source,
      contract: anchor.destination,
      own,
      sides: own === 0 ? [{ ...first, amount }, second] : [first, { ...second, amount }],
      lp: undefined,
      excesses: [],
    };
    return dedustV2PartialDepositKind.build(deposit);
  },
};

function sideOf(credit: Block): 0 | 1 {
  return fieldsOf("dedust_v2_credit_asset", credit).is_x ? 0 : 1;
}

/** Both sides without amounts, as far as the carrier of one side identifies them. */
function sidesOf(match: Match, own: 0 | 1): readonly [Side, Side] {
  const block = match.get("in");
  const carried = carriedBy(block);
  const request = tryFieldsIn("dedust_v2_deposit_request", requestIn(block));
  const side = (index: 0 | 1, target: bigint | undefined): Side => ({
    amount: undefined,
    asset: index === own ? carried.asset : undefined,
    wallet: index === own ? carried.source_jetton_wallet : undefined,
    target,
  });
  return [side(0, request?.amount_x), side(1, request?.amount_y)];
}

/** Completes deposits with the sides delivered before. If a contract has more than two blocks, none are merged. */
export const pairDedustV2Deposits: AfterPass = (tree) => {
  const deposits = new Map<AddressText | undefined, { finals: Block[]; partials: Block[] }>();
  for (const block of tree.outermostBlocks()) {
    const deposit = dedustV2DepositKind.of(block) ?? dedustV2PartialDepositKind.of(block);
    if (!deposit) continue;
    const found = deposits.get(deposit.contract) ?? { finals: [], partials: [] };
    (block.kind === dedustV2DepositKind ? found.finals : found.partials).push(block);
    deposits.set(deposit.contract, found);
  }
  const contracts = [...deposits.values()];
  if (contracts.some(({ finals, partials }) => finals.length + partials.length > 2)) return;
  for (const {
    finals: [final],
    partials: [partial],
  } of contracts) {
    const deposit = dedustV2DepositKind.of(final);
    const other = dedustV2PartialDepositKind.of(partial);
    if (!final || !partial || !deposit || !other) continue;
    tree.merge(final, partial, {
      kind: dedustV2DepositKind,
      data: { ...deposit, sides: [joined(deposit, other, 0), joined(deposit, other, 1)] },
      isFailed: final.isFailed,
    });
  }
};

/** A side of a final deposit; a missing asset and wallet come from the partial deposit, if it has them. */
function joined(final: Deposit, partial: Deposit, index: 0 | 1): Side {
  const side = final.sides[index];
  if (index === final.own) return side;
  const { asset, wallet } = partial.sides[index];
  return { ...side, asset, wallet };
}
