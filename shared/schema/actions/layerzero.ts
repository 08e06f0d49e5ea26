import { z } from "zod";
import { account, amount, integer, jetton, text } from "./fields.js";

const packet = z
  .object({
    src_oapp: text("Application that sends."),
    dst_oapp: text("Application that receives."),
    src_eid: integer("Endpoint id of the sending chain."),
    dst_eid: integer("Endpoint id of the receiving chain."),
    nonce: integer("Number of the packet."),
    guid: text("Id of the packet."),
    message: text("The message, hex."),
  })
  .describe("The packet.");

const send = z
  .object({
    send_request_id: integer("Id of the request."),
    msglib_manager: text("Manager of the message library."),
    msglib: text("The message library."),
    uln: account("The ultra light node."),
    native_fee: integer("Fee in nanotons."),
    zro_fee: integer("Fee in ZRO."),
    endpoint: account("The endpoint."),
    channel: account("The channel."),
  })
  .describe("The request.");

const uln = account("The ultra light node.");
const ulnConnection = account("Its connection.");

export const layerzeroActions = {
  layerzero_send: z.object({
    initiator: account("Account that sends."),
    layerzero_send_data: send,
    layerzero_packet_data: packet,
  }),
  layerzero_send_tokens: z.object({
    sender: account("Sender."),
    sender_wallet: account("Jetton wallet of the sender."),
    oapp: account("The application."),
    oapp_wallet: account("Jetton wallet of the application."),
    asset: jetton,
    amount: amount("Units of the jetton."),
    layerzero_send_data: send,
    layerzero_packet_data: packet,
  }),
  layerzero_receive: z.object({
    sender: account("Sender."),
    oapp: account("The application."),
    channel: account("The channel."),
    layerzero_packet_data: packet,
  }),
  layerzero_commit_packet: z.object({
    sender: account("Sender."),
    endpoint: account("The endpoint."),
    uln,
    uln_connection: ulnConnection,
    channel: account("The channel."),
    msglib_connection: account("Connection of the message library."),
    layerzero_packet_data: packet,
  }),
  layerzero_dvn_verify: z.object({
    initiator: account("Account that verifies."),
    nonce: integer("Number of the packet."),
    status: text("Outcome of the verification."),
    dvn: account("The verifier network."),
    proxy: account("Its proxy."),
    uln,
    uln_connection: ulnConnection,
  }),
};
