import type { SwapTransfer } from "../../../store/tables/action-details.js";
import type { Block } from "../block.js";
import { fieldsOf, tryFieldsIn } from "../body.js";
import { cancel, type Matcher } from "../matcher.js";
import { call, either, lazy, made, type Pattern } from "../pattern.js";
import { carriedBy, excess, hasExcess, leg, paidBy, payNative, payout, requestIn } from "./dedust-v2.js";
import { jettonTransferKind } from "./jettons.js";
import { byLt, peerSwap, type Swap, swapKind } from "./swaps.js";

const swapEvent = 0x78e79ba4;

/** A pool tells of the swap, and pays the next pool or the user. */
const paid: readonly Pattern[] = [
  call(swapEvent).withoutExcess().as("event"),
  either(
    lazy(() => hop),
    leg,
  ),
];
const anyNative = call(payNative).withoutExcess();
const native = anyNative.where("that asks for a swap", asksForSwap);
const swappedJetton = made(jettonTransferKind)
  .where("that is swapped", (block) => isSwapped(block) && hasExcess(block))
  .followedBy(paid);
const hop = either(anyNative.as("hop").followedBy([...paid, excess]), swappedJetton.as("hop"));

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
  pattern: either(native.followedBy([...paid, excess]), swappedJetton),
  build: (match) => {
    const out = match.get("leg");
    if (asksForSwap(out)) return cancel("the last payment asks for another swap");
    const events = byLt(match.all("event"));
    const amounts = events.map((event) => fieldsOf("dedust_v2_swap_event", event));
    const carriers = byLt([match.anchor, ...match.all("hop")]).map(carriedBy);
    const paid = paidBy(out);
    const assets = [...carriers, paid].map(({ asset }) => asset);
    const hasPeers = events.length > 1 && events.length === carriers.length;
    const swap: Swap = {
      dex: "dedust_v2",
      incoming: { ...carriers[0]!, amount: amounts[0]!.amount_in },
      outgoing: { ...paid, amount: amounts.at(-1)!.amount_out },
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

/** Of the transaction that sent the event. */
function hasFailed({ node: { transaction } }: Block): boolean {
  return transaction.isAborted || (transaction.exitCode ?? 0) !== 0;
}

/** What the last step of the route must give. */
function minOutAmountOf(block: Block): bigint | undefined {
  const request = swapRequestIn(block);
  let minOut = request?.min_out;
  for (let step = request?.next; step; step = step.next) minOut = step.min_out;
  return minOut;
}

/** A swap that the pool refused: it gives back what came. */
export const dedustV2FailedSwap: Matcher = {
  name: "dedust v2 failed swap",
  pattern: either(
    native
      .where("in vain", (block) => !isSwapped(block))
      .followedBy([call(payout).withoutExcess().as("refund"), excess]),
    made(jettonTransferKind)
      .where(
        "that asks for a swap in vain",
        (block) => asksForSwap(block) && !isSwapped(block) && hasExcess(block),
      )
      .followedBy([made(jettonTransferKind).as("refund")]),
  ),
  build: (match, contracts) => {
    const incoming = carriedBy(match.anchor);
    if (!isRefund(match.get("refund"), incoming)) return cancel("the sender got nothing back");
    const pool = contracts.at(incoming.destination).dexPool;
    if (!pool) return cancel("the pool is unknown");
    const [first, second] = pool.assets;
    const swap: Swap = {
      dex: "dedust_v2",
      incoming,
      outgoing: {
        amount: 0n,
        asset: incoming.asset === first ? second : first,
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

function isRefund(refund: Block, { asset, source }: SwapTransfer): boolean {
  const transfer = jettonTransferKind.of(refund);
  if (transfer) return transfer.asset === asset && transfer.receiver === source;
  return fieldsOf("dedust_v2_payout", refund).exit_code !== 0n && refund.destination === source;
}
