import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import type { Block } from "../block.js";
import { addressText, fieldsOf, opcodeOf, tryFieldsIn } from "../body.js";
import type { Asset, ContractLookups } from "../contracts.js";
import type { Match, Matcher } from "../matcher.js";
import { call, either, lazy, made, type Pattern } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { jettonTransferKind } from "./jettons.js";
import {
  holdingOf,
  payment,
  paymentOf,
  paymentPayload,
  proxyTonAmount,
  proxyTonBehind,
  proxyTonTransfer,
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

const swapRequest = 0x6664de2a;
const payTo = 0x657b54f5;
const notification = 0x7362d09c;

const doneCode = 0xc64370e5n;

/** The router pays the user, or the next pool: directly, through proxy TON, or through another router. */
const paid = call(payTo)
  .as("payment")
  .followedBy(
    either(
      made(jettonTransferKind)
        .where("of proxy TON", (block) => jettonTransferKind.dataOf(block).isProxyTon)
        .as("out")
        .followedBy(
          call(proxyTonTransfer)
            .where("that asks for a swap", isSwapOverProxyTon)
            .followedBy(call(notification).followedBy(lazy(() => nextSwap))),
        ),
      made(jettonTransferKind)
        .as("out")
        .followedBy(lazy(() => nextSwap).optional()),
      lazy(() => nextSwap),
    ),
  );
const nextSwap: Pattern = call(swapRequest).as("swap").followedBy(paid);

function isSwapOverProxyTon(block: Block): boolean {
  const transfer = jettonTransferKind.of(block.previous);
  const { forward_payload } = fieldsOf("pton_ton_transfer", block);
  return opcodeOf(forward_payload) === swapRequest && block.destination === transfer?.receiver;
}

/** STON.fi, version 2: a route of pools, possibly of several routers. */
export const stonfiV2Swap: Matcher = {
  name: "stonfi v2 swap",
  pattern: call(swapRequest).precededBy(payment).followedBy(paid),
  build: (match, contracts) => {
    const swaps = byLt([match.anchor, ...match.all("swap")]).map((block) => readSwap(block, match));
    const isFailed = match.all("payment").some((block) => readPayment(block).code !== doneCode);
    const incoming = paymentOf(match);
    const last = itemAt(byLt(match.all("out")), -1);
    const proxy = proxyTonBehind(last);
    const outgoing = outgoingOf(last, proxy);
    const swap: Swap = {
      dex: "stonfi_v2",
      incoming,
      outgoing,
      wanted: isFailed
        ? { asset: wantedAsset(itemAt(swaps, 0), match, contracts) }
        : { asset: outgoing.asset },
      peerSwaps: swaps.length > 1 ? peerSwapsOf(incoming, swaps, contracts) : [],
    };
    return swapKind.build(swap, { isFailed, from: proxy ? [...match.taken, proxy] : match.taken });
  },
};

/** A swap in one pool. */
type PoolSwap = {
  /** The router's wallet of the requested asset. */
  readonly wallet: AddressText | undefined;
  /** The rest of the route. */
  readonly next: Cell | undefined;
  readonly payment: Payment;
};

type Payment = { readonly code: bigint; readonly amount: bigint; readonly wallet: AddressText | undefined };

function readSwap(block: Block, match: Match): PoolSwap {
  const { token_wallet1, custom_payload } = fieldsOf("stonfi_swap_v2", block);
  const payments = match.all("payment");
  const payment = block.followers.find((each) => payments.includes(each));
  return { wallet: addressText(token_wallet1), next: custom_payload, payment: readPayment(payment!) };
}

function readPayment(block: Block): Payment {
  const pay = fieldsOf("stonfi_pay_to_v2", block);
  const isFirst = pay.amount0_out >= pay.amount1_out;
  return {
    code: pay.exit_code,
    amount: isFirst ? pay.amount0_out : pay.amount1_out,
    wallet: addressText(isFirst ? pay.token0_address : pay.token1_address),
  };
}

function outgoingOf(last: Block, proxy: Block | undefined): SwapTransfer {
  const transfer = jettonTransferKind.dataOf(last);
  const moved = swapTransferOf(transfer);
  if (!proxy) return transfer.isProxyTon ? { ...moved, asset: undefined } : moved;
  return {
    amount: proxyTonAmount(proxy),
    asset: undefined,
    source: moved.source,
    source_jetton_wallet: moved.source_jetton_wallet,
    destination: proxy.destination,
    destination_jetton_wallet: undefined,
  };
}

/** A swap without output counts only if it is the first. */
function peerSwapsOf(
  incoming: SwapTransfer,
  swaps: readonly PoolSwap[],
  contracts: ContractLookups,
): PeerSwap[] {
  const wallets = new Set(swaps.map(({ wallet }) => wallet));
  const first = itemAt(swaps, 0);
  const counted = [first];
  if (first.payment.code === doneCode)
    counted.push(...swaps.slice(1).filter(({ payment }) => payment.code === doneCode));
  let given: Part = { asset: incoming.asset, amount: incoming.amount ?? 0n };
  const peers = counted.map(({ payment: { wallet, amount } }) => {
    const holding = wallets.has(wallet) ? holdingOf(wallet, contracts) : undefined;
    const taken = { asset: holding?.asset, amount };
    const peer = peerSwap(given, taken);
    given = taken;
    return peer;
  });
  return peers.length > 1 ? peers : [];
}

/** The last asset of the requested route; used for failed swaps. */
function wantedAsset(first: PoolSwap, match: Match, contracts: ContractLookups): Asset {
  const route = [first.wallet];
  let next = readStep(first.next);
  while (next) {
    route.push(addressText(next.token_wallet1));
    next = readStep(next.custom_payload);
  }
  const holding =
    holdingOf(route.at(-1), contracts) ??
    holdingOf(addressText(readStep(paymentPayload(match))?.token_wallet1), contracts);
  return holding?.asset;
}

function readStep(payload: Cell | undefined) {
  return (
    tryFieldsIn("stonfi_swap_v2_forward_payload", payload) ??
    tryFieldsIn("stonfi_cross_swap_v2_forward_payload", payload)
  );
}
