import { nullable, numberOf, type Presenters, type StoredAction } from "./stored-action.js";

export const layerzeroPresenters: Presenters<
  | "layerzero_send"
  | "layerzero_send_tokens"
  | "layerzero_receive"
  | "layerzero_commit_packet"
  | "layerzero_dvn_verify"
> = {
  layerzero_send: (row) => ({ ...nullable({ initiator: row.source }), ...send(row), ...packet(row) }),
  layerzero_send_tokens: (row) => ({
    ...nullable({
      sender: row.source,
      sender_wallet: row.source_secondary,
      oapp: row.destination,
      oapp_wallet: row.destination_secondary,
      asset: row.asset,
      amount: row.amount,
    }),
    ...send(row),
    ...packet(row),
  }),
  layerzero_receive: (row) => ({
    ...nullable({ sender: row.source, oapp: row.destination, channel: row.destination_secondary }),
    ...packet(row),
  }),
  layerzero_commit_packet: (row) => ({
    ...nullable({
      sender: row.source,
      endpoint: row.source_secondary,
      uln: row.destination,
      uln_connection: row.destination_secondary,
      channel: row.asset,
      msglib_connection: row.asset_secondary,
    }),
    ...packet(row),
  }),
  layerzero_dvn_verify: ({ layerzero_dvn_verify_data: data, ...row }) =>
    nullable({
      initiator: row.source,
      nonce: numberOf(data.nonce),
      status: data.status,
      dvn: data.dvn,
      proxy: data.proxy,
      uln: data.uln,
      uln_connection: data.uln_connection,
    }),
};

function packet({
  layerzero_packet_data: data,
}: Pick<StoredAction<"layerzero_receive">, "layerzero_packet_data">) {
  return { layerzero_packet_data: nullable({ ...data, nonce: numberOf(data.nonce) }) };
}

function send({ layerzero_send_data: data }: Pick<StoredAction<"layerzero_send">, "layerzero_send_data">) {
  return {
    layerzero_send_data: nullable({
      ...data,
      send_request_id: numberOf(data.send_request_id),
      native_fee: numberOf(data.native_fee),
      zro_fee: numberOf(data.zro_fee),
    }),
  };
}
