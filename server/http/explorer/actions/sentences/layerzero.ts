import type { ActionDetails } from "../../../../../shared/schema/v3-actions.js";
import { jetton, type Phrase, quote, type Sentences, say, when, who } from "../phrase.js";

type Packet = ActionDetails["layerzero_send"]["layerzero_packet_data"];

const numbered = ({ nonce }: { readonly nonce: number | null }) =>
  say`packet${when(nonce, (n) => say` ${n}`)}`;
const to = ({ dst_eid }: Packet) => when(dst_eid, (id) => say` to endpoint ${id}`);
const from = ({ src_eid }: Packet) => when(src_eid, (id) => say` from endpoint ${id}`);

export const layerzeroSentences = {
  layerzero_send: ({ initiator, layerzero_packet_data: packet }): Phrase =>
    say`${who(initiator)} sent ${numbered(packet)}${to(packet)} by LayerZero`,
  layerzero_send_tokens: ({ sender, amount, asset, layerzero_packet_data: packet }) =>
    say`${who(sender)} sent ${jetton(amount, asset)}${to(packet)} by LayerZero`,
  layerzero_receive: ({ oapp, layerzero_packet_data: packet }) =>
    say`${who(oapp, "An application")} received ${numbered(packet)}${from(packet)} by LayerZero`,
  layerzero_commit_packet: ({ sender, layerzero_packet_data: packet }) =>
    say`${who(sender)} committed ${numbered(packet)}${from(packet)} to LayerZero`,
  layerzero_dvn_verify: ({ initiator, dvn, status, ...packet }) =>
    say`${who(initiator)} verified ${numbered(packet)} by ${who(dvn, "a verifier network")} of LayerZero${when(status, (outcome) => say`: ${quote(outcome)}`)}`,
} satisfies Partial<Sentences>;
