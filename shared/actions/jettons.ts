import {
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
} from "./common.js";
import { action } from "./declare.js";
import { type AddressText, account, amount, object, objects, optionally, unsent } from "./member.js";

const units = amount("Units of the jetton.").in("amount");

export const swapTransfer = {
  asset,
  source: account("Sender."),
  destination: account("Receiver."),
  source_jetton_wallet: account("Jetton wallet of the sender."),
  destination_jetton_wallet: account("Jetton wallet of the receiver."),
  amount: amount("Units of the asset."),
};

export const peerSwap = {
  asset_in: asset,
  amount_in: amount("Units that went into the pool."),
  asset_out: asset,
  amount_out: amount("Units that came out of it."),
};

export const jettonActions = {
  jetton_transfer: action([6, "v1", "jetton_transfer_data"], {
    asset: jetton.in("asset"),
    sender: account("Sender.").in("source"),
    receiver: account("Receiver.").in("destination"),
    sender_jetton_wallet: account("Jetton wallet of the sender.").in("source_secondary"),
    receiver_jetton_wallet: account("Jetton wallet of the receiver.").in("destination_secondary"),
    amount: units,
    comment,
    is_encrypted_comment: isEncrypted,
    query_id: queryId,
    response_destination: responseDestination,
    custom_payload: customPayload,
    forward_payload: forwardPayload,
    forward_amount: forwardAmount,
  }),
  jetton_burn: action([7, "v1"], {
    owner: account("Owner of the burned jettons.").in("source"),
    owner_jetton_wallet: account("Its jetton wallet.").in("source_secondary"),
    asset: jetton.in("asset"),
    amount: units,
  }),
  jetton_mint: action([8, "v1"], {
    asset: jetton.in("asset"),
    receiver: account("Receiver of the new jettons.").in("destination"),
    receiver_jetton_wallet: account("Its jetton wallet.").in("destination_secondary"),
    amount: units,
    ton_amount: amount("Nanotons that are sent along.").in("value"),
  }),
  jetton_swap: action([9, "v1", "jetton_swap_data"], {
    dex,
    sender: account("Account that swaps.").in("source", ".sender"),
    asset_in: asset.in("asset"),
    asset_out: asset.in("asset2"),
    dex_incoming_transfer: object("The transfer into the exchange.", swapTransfer),
    dex_outgoing_transfer: object("The transfer out of it.", swapTransfer),
    peer_swaps: objects("The swaps of each pool, if there are several.", peerSwap),
    min_out_amount: optionally(amount("The least that the sender accepts; some exchanges only."))
      .if("dex", "tonco", "dedust_v2")
      .rare(),
    sender_wallet: unsent<AddressText>("source_secondary"),
    receiver: unsent<AddressText>("destination"),
    receiver_wallet: unsent<AddressText>("destination_secondary"),
  }),
};
