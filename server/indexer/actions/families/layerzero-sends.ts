import { fieldsOf } from "../body.js";
import { hexText } from "../hex-text.js";
import type { Matcher } from "../matcher.js";
import { call, made, transfer } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import { jettonTransferKind } from "./jettons.js";
import { event, packetDetails } from "./layerzero.js";

const layerzeroSendKind = rowKind("layerzero_send");

const paidOrRefunded = transfer().optional();

/** An application calls its endpoint, and the channel answers once the library has priced the packet. */
export const layerzeroSend: Matcher = {
  name: "layerzero send",
  pattern: call(0xdd4ea3b4).followedBy(
    call(0x536feb09)
      .as("channel")
      .followedBy(
        call(0x4002b790).followedBy(
          call(0x5de68393)
            .as("uln")
            .followedBy(
              call(0x421c1a25).followedBy([
                event,
                paidOrRefunded,
                paidOrRefunded,
                paidOrRefunded,
                paidOrRefunded,
                paidOrRefunded,
                call(0xa2b5fbae).as("callback").followedBy([event.optional(), paidOrRefunded]),
              ]),
            ),
        ),
      ),
  ),
  build: (match) => {
    const { anchor } = match;
    const request = fieldsOf("layerzero_sent", match.get("callback")).md.callback.send;
    return layerzeroSendKind.build({
      initiator: anchor.source,
      layerzero_send_data: {
        send_request_id: request.send_request_id,
        msglib_manager: hexText(request.manager),
        msglib: hexText(request.msglib),
        uln: match.get("uln").destination,
        native_fee: request.fees.native_fee,
        zro_fee: request.fees.zro_fee,
        endpoint: anchor.destination,
        channel: match.get("channel").destination,
      },
      layerzero_packet_data: packetDetails(request.packet),
    });
  },
};

const layerzeroSendTokensKind = rowKind("layerzero_send_tokens");

/** Jettons sent to an application, which sends a packet about them. */
export const layerzeroSendTokens: Matcher = {
  name: "layerzero send tokens",
  pattern: made(layerzeroSendKind).precededBy(made(jettonTransferKind).as("transfer").followedBy(event)),
  build: (match) => {
    const transfer = jettonTransferKind.dataOf(match.get("transfer"));
    return layerzeroSendTokensKind.build({
      ...layerzeroSendKind.dataOf(match.anchor),
      sender: transfer.sender,
      sender_wallet: transfer.senderWallet,
      oapp: transfer.receiver,
      oapp_wallet: transfer.receiverWallet,
      asset: transfer.asset,
      amount: transfer.amount,
    });
  },
};
