import type { SwapTransfer } from "../../../store/tables/action-details.js";
import { nullable, type Presenters, type StoredAction } from "./stored-action.js";

export const jettonPresenters: Presenters<"jetton_transfer" | "jetton_burn" | "jetton_mint" | "jetton_swap"> =
  {
    jetton_transfer: ({ jetton_transfer_data: data, ...row }) =>
      nullable({
        asset: row.asset,
        sender: row.source,
        receiver: row.destination,
        sender_jetton_wallet: row.source_secondary,
        receiver_jetton_wallet: row.destination_secondary,
        amount: row.amount,
        comment: data.comment,
        is_encrypted_comment: data.is_encrypted_comment,
        query_id: data.query_id,
        response_destination: data.response_destination,
        custom_payload: data.custom_payload,
        forward_payload: data.forward_payload,
        forward_amount: data.forward_amount,
      }),
    jetton_burn: (row) =>
      nullable({
        owner: row.source,
        owner_jetton_wallet: row.source_secondary,
        asset: row.asset,
        amount: row.amount,
      }),
    jetton_mint: (row) =>
      nullable({
        asset: row.asset,
        receiver: row.destination,
        receiver_jetton_wallet: row.destination_secondary,
        amount: row.amount,
        ton_amount: row.value,
      }),
    jetton_swap: ({ jetton_swap_data: data, ...row }) => ({
      ...nullable({
        dex: data.dex,
        sender: row.source,
        asset_in: row.asset,
        asset_out: row.asset2,
      }),
      dex_incoming_transfer: transfer(data.dex_incoming_transfer),
      dex_outgoing_transfer: transfer(data.dex_outgoing_transfer),
      peer_swaps: data.peer_swaps.map(({ asset_in, amount_in, asset_out, amount_out }) =>
        nullable({ asset_in, amount_in, asset_out, amount_out }),
      ),
      ...(statesMinimum.has(data.dex) && nullable({ min_out_amount: data.min_out_amount })),
    }),
  };

/** Exchanges whose requests state the minimum accepted amount. */
const statesMinimum: ReadonlySet<string> = new Set(["tonco", "dedust_v2"]);

type StoredTransfer = StoredAction<"jetton_swap">["jetton_swap_data"]["dex_incoming_transfer"];

function transfer(stored: StoredTransfer) {
  const { asset, source, destination, source_jetton_wallet, destination_jetton_wallet, amount } = stored;
  const members: { [Name in keyof SwapTransfer]: string | undefined } = {
    asset,
    source,
    destination,
    source_jetton_wallet,
    destination_jetton_wallet,
    amount,
  };
  return nullable(members);
}
