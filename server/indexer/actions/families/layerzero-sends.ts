import type { LayerZeroPacketDetails, LayerZeroSendDetails } from "../../../store/tables/action-details.js";
import { BlockKind } from "../block-kind.js";
import { fieldsOf } from "../body.js";
import { hexText } from "../hex-text.js";
import type { Matcher } from "../matcher.js";
import { call, made, transfer } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { type JettonTransfer, jettonTransferKind } from "./jettons.js";
import { event, packetDetails } from "./layerzero.js";

type Send = {
  readonly initiator: AddressText | undefined;
  readonly details: {
    readonly layerzero_send_data: LayerZeroSendDetails;
    readonly layerzero_packet_data: LayerZeroPacketDetails;
  };
};

const layerzeroSendKind = new BlockKind("layerzero_send", {
  type: "layerzero_send",
  row: ({ initiator, details }: Send) => ({ source: initiator, ...details }),
});

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
    const details: Send["details"] = {
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
    };
    return layerzeroSendKind.build({ initiator: anchor.source, details });
  },
};

const layerzeroSendTokensKind = new BlockKind("layerzero_send_tokens", {
  type: "layerzero_send_tokens",
  row: ({ transfer, send }: { transfer: JettonTransfer; send: Send }) => ({
    source: transfer.sender,
    source_secondary: transfer.senderWallet,
    destination: transfer.receiver,
    destination_secondary: transfer.receiverWallet,
    asset: transfer.asset,
    amount: transfer.amount,
    ...send.details,
  }),
});

/** Jettons sent to an application, which sends a packet about them. */
export const layerzeroSendTokens: Matcher = {
  name: "layerzero send tokens",
  pattern: made(layerzeroSendKind).precededBy(made(jettonTransferKind).as("transfer").followedBy(event)),
  build: (match) =>
    layerzeroSendTokensKind.build({
      transfer: jettonTransferKind.dataOf(match.get("transfer")),
      send: layerzeroSendKind.dataOf(match.anchor),
    }),
};
