import { z } from "zod";
import {
  account,
  amount,
  asset,
  comment,
  customPayload,
  dex,
  forwardAmount,
  forwardPayload,
  isEncrypted,
  jetton,
  queryId,
  responseDestination,
} from "./fields.js";

const swapTransfer = z.object({
  asset,
  source: account("Sender."),
  destination: account("Receiver."),
  source_jetton_wallet: account("Jetton wallet of the sender."),
  destination_jetton_wallet: account("Jetton wallet of the receiver."),
  amount: amount("Units of the asset."),
});

const peerSwap = z.object({
  asset_in: asset,
  amount_in: amount("Units that went into the pool."),
  asset_out: asset,
  amount_out: amount("Units that came out of it."),
});

export const jettonActions = {
  jetton_transfer: z.object({
    asset: jetton,
    sender: account("Sender."),
    receiver: account("Receiver."),
    sender_jetton_wallet: account("Jetton wallet of the sender."),
    receiver_jetton_wallet: account("Jetton wallet of the receiver."),
    amount: amount("Units of the jetton."),
    comment,
    is_encrypted_comment: isEncrypted,
    query_id: queryId,
    response_destination: responseDestination,
    custom_payload: customPayload,
    forward_payload: forwardPayload,
    forward_amount: forwardAmount,
  }),
  jetton_burn: z.object({
    owner: account("Owner of the burned jettons."),
    owner_jetton_wallet: account("Its jetton wallet."),
    asset: jetton,
    amount: amount("Units of the jetton."),
  }),
  jetton_mint: z.object({
    asset: jetton,
    receiver: account("Receiver of the new jettons."),
    receiver_jetton_wallet: account("Its jetton wallet."),
    amount: amount("Units of the jetton."),
    ton_amount: amount("Nanotons that are sent along."),
  }),
  jetton_swap: z.object({
    dex,
    sender: account("Account that swaps."),
    asset_in: asset,
    asset_out: asset,
    dex_incoming_transfer: swapTransfer.describe("The transfer into the exchange."),
    dex_outgoing_transfer: swapTransfer.describe("The transfer out of it."),
    peer_swaps: z.array(peerSwap).describe("The swaps of each pool, if there are several."),
    min_out_amount: amount("The least that the sender accepts; some exchanges only.").optional(),
  }),
};
