import type { peerSwap as declaredPeerSwap, swapTransfer } from "../../../../shared/actions/jettons.js";
import type { Given } from "../../../../shared/actions/member.js";
import type { Block } from "../block.js";
import { BlockKind } from "../block-kind.js";
import type { Asset } from "../contracts.js";
import type { AddressText } from "../trace.js";
import type { JettonTransfer } from "./jettons.js";

export type SwapTransfer = Given<typeof swapTransfer>;
export type PeerSwap = Given<typeof declaredPeerSwap>;

/** An exchange of one asset for another, through one or several pools. */
export type Swap = {
  readonly dex: string;
  readonly incoming: SwapTransfer;
  /** For a failed swap, the refund. */
  readonly outgoing: SwapTransfer;
  /** The requested asset, where it can differ from the outgoing transfer's. */
  readonly wanted?: { readonly asset: Asset; readonly wallet?: AddressText | undefined };
  /** Empty unless there are several. */
  readonly peerSwaps: readonly PeerSwap[];
  readonly minOutAmount?: bigint | undefined;
};

export const swapKind = new BlockKind("jetton_swap", {
  type: "jetton_swap",
  isLeaf: true,
  row: ({ dex, incoming, outgoing, wanted, peerSwaps, minOutAmount }: Swap) => ({
    dex,
    sender: incoming.source,
    sender_wallet: incoming.source_jetton_wallet,
    receiver: outgoing.destination,
    receiver_wallet: wanted?.wallet ?? outgoing.destination_jetton_wallet,
    asset_in: incoming.asset,
    asset_out: wanted ? wanted.asset : outgoing.asset,
    dex_incoming_transfer: incoming,
    dex_outgoing_transfer: outgoing,
    peer_swaps: peerSwaps,
    min_out_amount: minOutAmount,
  }),
});

/** A jetton transfer as one side of a swap. */
export function swapTransferOf(transfer: JettonTransfer): SwapTransfer {
  return {
    amount: transfer.amount,
    asset: transfer.asset,
    source: transfer.sender,
    source_jetton_wallet: transfer.senderWallet,
    destination: transfer.receiver,
    destination_jetton_wallet: transfer.receiverWallet,
  };
}

/** A TON message as one side of a swap. */
export function tonTransferOf({ source, destination }: Block, amount: bigint | undefined): SwapTransfer {
  return {
    amount,
    asset: undefined,
    source,
    source_jetton_wallet: undefined,
    destination,
    destination_jetton_wallet: undefined,
  };
}

/** An input or output amount of a route's swap. */
export type Part = { readonly asset: Asset; readonly amount: bigint };

export function peerSwap(given: Part, taken: Part): PeerSwap {
  return {
    asset_in: given.asset,
    amount_in: given.amount,
    asset_out: taken.asset,
    amount_out: taken.amount,
  };
}

/** Blocks ordered by their first messages. */
export function byLt(blocks: readonly Block[]): Block[] {
  return [...blocks].sort((a, b) => (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : 0));
}
