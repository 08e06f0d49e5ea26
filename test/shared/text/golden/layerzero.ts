import type { Goldens } from "./golden.js";
import { acorn, ann, pool } from "./people.js";

export const layerzero = {
  layerzero_send: {
    details: { initiator: ann, layerzero_packet_data: { dst_eid: 30420, nonce: 90 } },
    says: "‹initiator› sent a packet with number 90 to endpoint 30420 over LayerZero",
    shown: ["bridge", "LayerZero packet sent"],
  },
  layerzero_send_tokens: {
    details: { sender: ann, asset: acorn, amount: "10000", layerzero_packet_data: { dst_eid: 30101 } },
    says: "‹sender› sent ‹amount: 10 ACORN› to endpoint 30101 over LayerZero",
    shown: ["bridge", "Sent over LayerZero"],
  },
  layerzero_receive: {
    details: { oapp: ann, layerzero_packet_data: { src_eid: 30101, nonce: 162 } },
    says: "‹oapp› received a packet with number 162 from endpoint 30101 over LayerZero",
    shown: ["bridge", "LayerZero packet received"],
  },
  layerzero_commit_packet: {
    details: { sender: ann, layerzero_packet_data: { src_eid: 30343, nonce: 1 } },
    says: "‹sender› committed a packet with number 1 from endpoint 30343 to LayerZero",
    shown: ["bridge", "LayerZero packet committed"],
  },
  layerzero_dvn_verify: {
    details: { initiator: ann, nonce: 125, status: "succeeded\u202e", dvn: pool },
    says: "‹initiator› verified a packet with number 125 by ‹dvn› of LayerZero, with the status “succeeded�”",
    shown: ["bridge", "LayerZero packet verified"],
  },
} satisfies Partial<Goldens>;
