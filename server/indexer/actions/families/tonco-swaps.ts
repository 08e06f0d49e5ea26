import type { Block } from "../block.js";
import { addressText, fieldsOf, tryFieldsIn } from "../body.js";
import type { Asset, ContractLookups } from "../contracts.js";
import { cancel, type Match, type Matcher } from "../matcher.js";
import { call, either, lazy, made, type Pattern } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { type JettonTransfer, jettonTransferKind } from "./jettons.js";
import {
  holdingOf,
  payment,
  paymentOf,
  paymentPayload,
  proxyTonTransfer,
  withoutProxy,
} from "./proxy-ton.js";
import {
  byLt,
  type Part,
  type PeerSwap,
  peerSwap,
  type Swap,
  type SwapTransfer,
  swapKind,
  swapTransferOf,
} from "./swaps.js";

const poolSwap = 0xa7fb58f8;
const payTo = 0xa1daa96d;
const transferRequest = 0x0f8a7ea5;
const notification = 0x7362d09c;

const doneCodes: ReadonlySet<bigint> = new Set([0n, 200n]);

/** The router pays the user, or itself for the next swap. */
const paid = call(payTo)
  .as("payment")
  .followedBy(
    either(
      made(jettonTransferKind)
        .as("between")
        .followedBy(call(proxyTonTransfer).followedBy(call(notification).followedBy(lazy(() => nextSwap)))),
      made(jettonTransferKind)
        .as("between")
        .followedBy(lazy(() => nextSwap)),
      call(transferRequest).as("out").followedBy(call(proxyTonTransfer)),
      made(jettonTransferKind).as("out"),
    ),
  );
const nextSwap: Pattern = call(poolSwap).as("swap").followedBy(paid);

/** TONCO: a route of pools of one router. */
export const toncoSwap: Matcher = {
  name: "tonco swap",
  pattern: call(poolSwap).precededBy(payment).followedBy(paid),
  build: (match, contracts) => {
    const swaps = byLt([match.anchor, ...match.all("swap")]);
    const payments = byLt(match.all("payment")).map(readPayment);
    if (swaps.length !== payments.length) return cancel("not every swap was paid once");
    const outs = byLt(match.all("out"));
    const transfer = jettonTransferKind.of(outs.at(-1));
    if (!transfer) return cancel("the last payment is no jetton transfer");

    const isFailed = payments.some(({ isDone }) => !isDone);
    const incoming = paymentOf(match);
    const outgoing = outgoingOf(transfer);
    const requested = isFailed && isTonPaid(match) ? requestedTarget(match, contracts) : undefined;
    const swap: Swap = {
      dex: "tonco",
      incoming,
      outgoing,
      wanted: requested?.holding ?? { asset: outgoing.asset },
      peerSwaps:
        swaps.length > 1
          ? peerSwapsOf(incoming, payments, holdingsOf(swaps, transfer, outgoing.asset, contracts))
          : [],
      minOutAmount: requested ? requested.minOut : outgoing.amount,
    };
    const proxies = [...outs, ...match.all("between")]
      .flatMap(({ followers }) => followers)
      .filter(({ opcode }) => opcode === proxyTonTransfer);
    return swapKind.build(swap, { isFailed, from: [...match.taken, ...proxies] });
  },
};

type Payment = {
  readonly isDone: boolean;
  /** The larger of the two amounts, and the router's wallet paying it. */
  readonly amount: bigint;
  readonly wallet: AddressText | undefined;
};

function readPayment(block: Block): Payment {
  const { exit_code, coins } = fieldsOf("tonco_pay_to_start", block);
  const isFirst = coins !== undefined && coins.amount0 >= coins.amount1;
  return {
    isDone: doneCodes.has(exit_code),
    amount: (isFirst ? coins.amount0 : coins?.amount1) ?? 0n,
    wallet: addressText(isFirst ? coins.wallet0 : coins?.wallet1),
  };
}

function outgoingOf(transfer: JettonTransfer): SwapTransfer {
  return {
    ...swapTransferOf(transfer),
    asset: withoutProxy(transfer.asset),
    destination: transfer.statedReceiver,
  };
}

/** Assets of a route's wallets. */
function holdingsOf(
  swaps: readonly Block[],
  { senderWallet, receiverWallet }: JettonTransfer,
  paidAsset: Asset,
  contracts: ContractLookups,
): ReadonlyMap<AddressText | undefined, Asset> {
  const holdings = new Map<AddressText | undefined, Asset>();
  for (const swap of swaps) {
    const wallet = addressText(fieldsOf("tonco_pool_swap", swap).source_wallet);
    const holding = holdingOf(wallet, contracts);
    if (holding) holdings.set(wallet, holding.asset);
  }
  for (const wallet of [senderWallet, receiverWallet]) if (wallet) holdings.set(wallet, paidAsset);
  return holdings;
}

/** Unknown wallets count as TON, except for the first swap's, which is then omitted. */
function peerSwapsOf(
  incoming: SwapTransfer,
  payments: readonly Payment[],
  holdings: ReadonlyMap<AddressText | undefined, Asset>,
): PeerSwap[] {
  const peers: PeerSwap[] = [];
  let given: Part = { asset: incoming.asset, amount: incoming.amount ?? 0n };
  for (const [index, { isDone, wallet, amount }] of payments.entries()) {
    const taken = { asset: holdings.get(wallet), amount };
    if (isDone && (index > 0 || holdings.has(wallet))) peers.push(peerSwap(given, taken));
    given = taken;
  }
  return peers;
}

function isTonPaid(match: Match): boolean {
  return match.find("notified") !== undefined;
}

/** The last target in the payload that came with TON. The reference does not read the payload of jettons. */
function requestedTarget(match: Match, contracts: ContractLookups) {
  let target = tryFieldsIn("tonco_swap_target", paymentPayload(match));
  for (let next = target; next; next = tryFieldsIn("tonco_swap_target", next.next)) target = next;
  return target && { holding: holdingOf(addressText(target.wallet), contracts), minOut: target.min_out };
}
