import { commentBody } from "../../wallets/compose.js";
import { approveBody, Multisig, newOrderBody, sendAction } from "../contracts/multisig.js";
import type { Participants } from "../participants.js";
import { farFuture, type StoryBlock, ton } from "../story-block.js";

/** A multisig wallet of Ann, Ben and Cleo, two of whom must agree. Dan may propose orders. */
export function treasuryOf({ ann, ben, cleo, dan }: Participants): Multisig {
  const signers = [ann, ben, cleo].map(({ address }) => address);
  return new Multisig({ threshold: 2, signers, proposers: [dan.address] });
}

/** Value attached to a request. Most of it stays in the treasury. */
const postage = ton / 2n;

/** An executed order, and one that lacks an approval. */
export function useTreasury(participants: Participants): StoryBlock[] {
  const { ann, ben, cleo, dan, gus, hana } = participants;
  const treasury = treasuryOf(participants);
  const { address: to, init } = treasury;
  const forGus = sendAction({ to: gus.address, value: 5n * ton, body: commentBody("From the treasury") });
  const forHana = sendAction({ to: hana.address, value: 7n * ton, body: commentBody("If two agree") });
  const order = { seqno: 0n, from: { signer: 0 }, expiresAt: farFuture, queryId: 6000 };
  const proposal = { seqno: 1n, from: { proposer: 0 }, expiresAt: farFuture, queryId: 6001 };
  return [
    {
      title: "Ann, Ben and Cleo open a treasury",
      messages: [ann.sends([{ to, value: 50n * ton, init }])],
    },
    {
      title: "Ann orders a payment from the treasury",
      messages: [ann.sends([{ to, value: postage, body: newOrderBody({ ...order, actions: [forGus] }) }])],
    },
    {
      title: "Ben approves it, and Dan proposes another",
      messages: [
        ben.sends([{ to: treasury.order(0n), value: postage, body: approveBody(1, 6002) }]),
        dan.sends([{ to, value: postage, body: newOrderBody({ ...proposal, actions: [forGus, forHana] }) }]),
      ],
    },
    {
      title: "Cleo approves Dan's proposal, which takes one more",
      messages: [cleo.sends([{ to: treasury.order(1n), value: postage, body: approveBody(2, 6003) }])],
    },
  ];
}
