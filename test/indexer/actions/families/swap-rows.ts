import type { Action } from "../../../../server/indexer/actions/action.js";
import type { SwapTransfer } from "../../../../server/indexer/actions/families/swaps.js";
import { walletOf } from "../../../helpers/index/made-jettons.js";

/** Columns of swap rows, and the types of other rows. */
export function swapsOf(actions: readonly Action[]): unknown[] {
  return actions.map((action) => {
    if (action.type !== "jetton_swap") return action.type;
    const { success, source, source_secondary, destination, destination_secondary, asset, asset2 } = action;
    return {
      success,
      source,
      source_secondary,
      destination,
      destination_secondary,
      asset,
      asset2,
      ...action["jetton_swap_data"],
    };
  });
}

/** One side of a swap between owners of wallets. */
export function jettonSide(from: string, to: string, master: string, amount: bigint): SwapTransfer {
  return {
    amount,
    asset: master,
    source: from,
    source_jetton_wallet: walletOf(from, master),
    destination: to,
    destination_jetton_wallet: walletOf(to, master),
  };
}

/** One side of a swap that is TON; `to` may get them over a wallet. */
export function tonSide(from: string, to: string, amount: bigint, wallet?: string): SwapTransfer {
  return {
    amount,
    asset: undefined,
    source: from,
    source_jetton_wallet: undefined,
    destination: to,
    destination_jetton_wallet: wallet,
  };
}

/** The columns that follow from the transfers. */
export function columnsOf(incoming: SwapTransfer, outgoing: SwapTransfer) {
  return {
    success: true,
    source: incoming.source,
    source_secondary: incoming.source_jetton_wallet,
    destination: outgoing.destination,
    destination_secondary: outgoing.destination_jetton_wallet,
    asset: incoming.asset,
    asset2: outgoing.asset,
    sender: incoming.source,
    dex_incoming_transfer: incoming,
    dex_outgoing_transfer: outgoing,
    peer_swaps: [],
    min_out_amount: undefined,
  };
}
