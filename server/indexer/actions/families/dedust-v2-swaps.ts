import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { ifReadable } from "../../../../shared/ton/tlb/readable.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import type { Block } from "../block.js";
import { fieldsOf, tryFieldsIn } from "../body.js";
import type { Asset, Contract } from "../contracts.js";
import { cancel, type Matcher } from "../matcher.js";
import { type BlockPattern, call, either, lazy, made, type Pattern } from "../pattern.js";
import { carriedBy, excess, paidBy, payNative, payout, requestIn } from "./dedust-v2.js";
import { jettonTransferKind } from "./jettons.js";
import { byLt, peerSwap, type Swap, swapKind } from "./swaps.js";

const swapEvent = 0x78e79ba4;
const deadlineBits = 40;
/** Limit on the pools after the first one in a request. */
const maxSteps = 16;

const anyNative = call(payNative).withoutExcess();
const native = anyNative.where("that asks for a swap", asksForSwap);
const anyJetton = made(jettonTransferKind).withoutExcess();
const swappedJetton = anyJetton.where("that is swapped", isSwapped);
/** A pool logs the swap and pays the next pool or the user. */
const swapped: readonly Pattern[] = [
  call(swapEvent).withoutExcess().as("event"),
  either(
    lazy(() => hop),
    either(made(jettonTransferKind), call(payout)).as("out"),
  ),
  excess,
];
const hop = either(anyNative.as("hop").followedBy(swapped), swappedJetton.as("hop").followedBy(swapped));

function isSwapped({ followers }: Block): boolean {
  return followers.some(({ opcode }) => opcode === swapEvent);
}

function swapRequestIn(block: Block) {
  return tryFieldsIn("dedust_v2_swap_request", requestIn(block));
}

function asksForSwap(block: Block): boolean {
  return swapRequestIn(block) !== undefined;
}

/** DeDust, version 2: pools pay each other, without vaults. */
export const dedustV2Swap: Matcher = {
  name: "dedust v2 swap",
  pattern: either(native.followedBy(swapped), swappedJetton.followedBy(swapped)),
  build: (match) => {
    const out = match.get("out");
    if (jettonTransferKind.of(out) && asksForSwap(out))
      return cancel("the last payment asks for another swap");
    const events = byLt(match.all("event"));
    const amounts = events.map((event) => fieldsOf("dedust_v2_swap_event", event));
    const carriers = byLt([match.anchor, ...match.all("hop")]).map(carriedBy);
    const paid = paidBy(out);
    const assets = [...carriers, paid].map(({ asset }) => asset);
    const hasPeers = events.length > 1 && events.length === carriers.length;
    const swap: Swap = {
      dex: "dedust_v2",
      incoming: { ...itemAt(carriers, 0), amount: itemAt(amounts, 0).amount_in },
      outgoing: { ...paid, amount: itemAt(amounts, -1).amount_out },
      peerSwaps: hasPeers
        ? amounts.map(({ amount_in, amount_out }, index) =>
            peerSwap(
              { asset: assets[index], amount: amount_in },
              { asset: assets[index + 1], amount: amount_out },
            ),
          )
        : [],
      minOutAmount: minOutAmountOf(match.anchor),
    };
    return swapKind.build(swap, { isFailed: events.some(hasFailed) });
  },
};

/** Refers to the transaction that sent the event. */
function hasFailed({ node: { transaction } }: Block): boolean {
  return transaction.isAborted || (transaction.exitCode ?? 0) !== 0;
}

/** The minimum output of the route's last step. */
function minOutAmountOf(block: Block): bigint | undefined {
  const request = swapRequestIn(block);
  return request && ifReadable(() => lastMinOut(request));
}

/** Throws if a step is unreadable. */
function lastMinOut({ min_out, next }: NonNullable<ReturnType<typeof swapRequestIn>>): bigint {
  let minOut = min_out;
  let step: Cell | undefined = next;
  for (let left = maxSteps; step && left > 0; left--) {
    const from = step.parse();
    from.loadAddress();
    minOut = from.loadCoins();
    step = from.skip(deadlineBits).loadMaybeRef();
  }
  return minOut;
}

/** A swap rejected by the pool: it returns the input. */
export const dedustV2FailedSwap: Matcher = {
  name: "dedust v2 failed swap",
  pattern: either(refusedFrom(native), refusedFrom(anyJetton.where("that asks for a swap", asksForSwap))),
  build: (match, contracts) => {
    const incoming = carriedBy(match.anchor);
    if (!isRefund(match.get("refund"), match.anchor)) return cancel("the sender got nothing back");
    const swap: Swap = {
      dex: "dedust_v2",
      incoming,
      outgoing: {
        amount: 0n,
        asset: otherAsset(contracts.at(incoming.destination).dexPool, incoming.asset),
        source: incoming.destination,
        source_jetton_wallet: undefined,
        destination: incoming.source,
        destination_jetton_wallet: undefined,
      },
      peerSwaps: [],
      minOutAmount: minOutAmountOf(match.anchor),
    };
    return swapKind.build(swap, { isFailed: true });
  },
};

function refusedFrom(carrier: BlockPattern): Pattern {
  return carrier
    .where("without a swap", (block) => !isSwapped(block))
    .followedBy([either(made(jettonTransferKind), call(payout)).as("refund"), excess]);
}

/** Also undefined if the pool is unknown. */
function otherAsset(pool: Contract["dexPool"], asset: Asset): Asset {
  return pool?.assets.find((each) => each !== asset);
}

/** Whether the input is returned to its sender. */
function isRefund(refund: Block, carrier: Block): boolean {
  const given = jettonTransferKind.of(carrier);
  const returned = jettonTransferKind.of(refund);
  if (given)
    return returned !== undefined && returned.asset === given.asset && returned.receiver === given.sender;
  if (returned) return false;
  return fieldsOf("dedust_v2_payout", refund).exit_code !== 0n && refund.destination === carrier.source;
}
