import { jetton } from "./common.js";
import { action } from "./declare.js";
import { account, amount, integer, object, text, wideInteger } from "./member.js";

const packet = object("The packet.", {
  src_oapp: text("Application that sends."),
  dst_oapp: text("Application that receives."),
  src_eid: integer("Endpoint id of the sending chain."),
  dst_eid: integer("Endpoint id of the receiving chain."),
  nonce: wideInteger("Number of the packet."),
  guid: text("Id of the packet."),
  message: text("The message, hex."),
}).in("layerzero_packet_data");

const send = object("The request.", {
  send_request_id: wideInteger("Id of the request."),
  msglib_manager: text("Manager of the message library."),
  msglib: text("The message library."),
  uln: account("The ultra light node."),
  native_fee: wideInteger("Fee in nanotons."),
  zro_fee: wideInteger("Fee in ZRO."),
  endpoint: account("The endpoint."),
  channel: account("The channel."),
}).in("layerzero_send_data");

const sender = account("Sender.").in("source");
const application = account("The application.").in("destination");
const channel = account("The channel.");
const uln = account("The ultra light node.");
const ulnConnection = account("Its connection.");

export const layerzeroActions = {
  layerzero_send: action([68, "v3"], {
    initiator: account("Account that sends.").in("source"),
    layerzero_send_data: send,
    layerzero_packet_data: packet,
  }),
  layerzero_send_tokens: action([69, "v3"], {
    sender,
    sender_wallet: account("Jetton wallet of the sender.").in("source_secondary"),
    oapp: application,
    oapp_wallet: account("Jetton wallet of the application.").in("destination_secondary"),
    asset: jetton.in("asset"),
    amount: amount("Units of the jetton.").in("amount"),
    layerzero_send_data: send,
    layerzero_packet_data: packet,
  }),
  layerzero_receive: action([70, "v3"], {
    sender,
    oapp: application,
    channel: channel.in("destination_secondary"),
    layerzero_packet_data: packet,
  }),
  layerzero_commit_packet: action([71, "v3"], {
    sender,
    endpoint: account("The endpoint.").in("source_secondary"),
    uln: uln.in("destination"),
    uln_connection: ulnConnection.in("destination_secondary"),
    channel: channel.in("asset"),
    msglib_connection: account("Connection of the message library.").in("asset_secondary"),
    layerzero_packet_data: packet,
  }),
  layerzero_dvn_verify: action([72, "v3", "layerzero_dvn_verify_data"], {
    initiator: account("Account that verifies.").in("source"),
    nonce: wideInteger("Number of the packet."),
    status: text("Outcome of the verification."),
    dvn: account("The verifier network."),
    proxy: account("Its proxy."),
    uln,
    uln_connection: ulnConnection,
  }),
};
