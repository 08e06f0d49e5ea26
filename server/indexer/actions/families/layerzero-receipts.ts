import { fieldsOf } from "../body.js";
import { cancel, type Matcher } from "../matcher.js";
import { call, transfer } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import type { AddressText } from "../trace.js";
import { event, packetDetails } from "./layerzero.js";

// Steps of a packet from another chain: verifiers attest it, it is committed, and its application receives it.

const refund = transfer().optional();

const layerzeroReceiveKind = rowKind("layerzero_receive");

export const layerzeroReceive: Matcher = {
  name: "layerzero receive",
  pattern: call(0x22f3ac09).followedBy([
    refund,
    call(0x97df404c).followedBy(
      call(0xb7680bc6).followedBy(
        call(0x0c7b8418)
          .as("executed")
          .followedBy([event.optional(), call(0xcaae25a1).followedBy([event.optional(), refund])]),
      ),
    ),
  ]),
  build: (match) => {
    const executed = match.get("executed");
    const { packet } = fieldsOf("layerzero_received", executed).md;
    const { destination: oapp, source: channel } = executed;
    if (hashOf(oapp) !== packet.path.dst_oapp) return cancel("the packet is for another application");
    return layerzeroReceiveKind.build({
      sender: match.anchor.source,
      oapp,
      channel,
      layerzero_packet_data: packetDetails(packet),
    });
  },
};

/** The account hash, the only part of an address in packets. */
function hashOf(address: AddressText | undefined): bigint | undefined {
  return address === undefined ? undefined : BigInt(`0x${address.slice(address.indexOf(":") + 1)}`);
}

const layerzeroCommitPacketKind = rowKind("layerzero_commit_packet");

export const layerzeroCommitPacket: Matcher = {
  name: "layerzero commit packet",
  pattern: call(0x28b97077).followedBy(
    call(0xf9d37b80)
      .as("uln connection")
      .followedBy(
        call(0x5dab749a)
          .as("endpoint")
          .followedBy(
            call(0x5388cd88)
              .as("channel")
              .followedBy([
                event.optional(),
                call(0x5e178f33).as("callback").followedBy(transfer().optional()).optional(),
              ]),
          ),
      ),
  ),
  build: (match) => {
    const callback = match.find("callback");
    if (!callback) return cancel("the channel did not answer");
    const channel = match.get("channel");
    const connection = match.get("uln connection").destination;
    return layerzeroCommitPacketKind.build({
      sender: match.anchor.source,
      endpoint: match.get("endpoint").destination,
      // As in the reference: the node itself is in no member.
      uln: connection,
      uln_connection: connection,
      channel: channel.destination,
      msglib_connection: callback.destination,
      layerzero_packet_data: packetDetails(fieldsOf("layerzero_committed", channel).md.packet),
    });
  },
};

const verificationStatuses = new Map([
  [0x3bbc306bn, "succeeded"],
  [0x7fcbb4acn, "nonce_out_of_range"],
  [0x29c53fabn, "dvn_not_configured"],
]);

const layerzeroVerifyKind = rowKind("layerzero_dvn_verify");

/** A verifier network (DVN) attests a packet. */
export const layerzeroVerify: Matcher = {
  name: "layerzero dvn verify",
  pattern: call(0xa0d51a8d).followedBy(
    call(0x09f047d9)
      .as("proxy")
      .followedBy(
        call(0x994aaf4e)
          .as("uln")
          .followedBy(
            call(0x4ec8f80a)
              .as("uln connection")
              .followedBy([
                event.optional(),
                call(0x3cb38090).as("callback").followedBy(transfer().optional()).optional(),
              ]),
          ),
      ),
  ),
  build: (match) => {
    const callback = match.find("callback");
    if (!callback) return cancel("the connection did not answer");
    const { nonce, status } = fieldsOf("layerzero_verified", callback).md.verification;
    return layerzeroVerifyKind.build({
      initiator: match.anchor.source,
      dvn: match.anchor.destination,
      proxy: match.get("proxy").destination,
      uln: match.get("uln").destination,
      uln_connection: match.get("uln connection").destination,
      nonce,
      status: verificationStatuses.get(status) ?? `unknown_${status}`,
    });
  },
};
