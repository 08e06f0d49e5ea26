import { Address } from "../../../../shared/values/address.js";
import { commentBody } from "../../wallets/compose.js";
import { jettonTransferBody } from "../contracts/jetton.js";
import { nftTransferBody } from "../contracts/nft.js";
import type { Participants } from "../participants.js";
import { type StoryBlock, ton } from "../story-block.js";
import { jettonsOf } from "./jetton-trade.js";
import { collectionOf } from "./nft-trade.js";

/** An account without code and balance. */
const nobody = new Address(0, new Uint8Array(32).fill(0xee));
/** Send mode 1: fees are paid separately, errors are not ignored. */
const strictly = 1;

/** Transactions that fail in different ways: bounces, refused operations, failed action phases. */
export function failInManyWays(participants: Participants): StoryBlock[] {
  const { ann, ben, cleo, dan, eve, gus, hana } = participants;
  const { acorn } = jettonsOf(participants);
  const collection = collectionOf(participants);
  const takeAcorns = { to: gus.address, amount: 10n ** 12n, excessesTo: gus.address, queryId: 3000 };
  const takeTree = { to: ben.address, excessesTo: ben.address, forwardTons: 0n, queryId: 3001 };
  return [
    {
      title: "Money for nobody comes back, unless it may not",
      messages: [
        ann.sends([{ to: nobody, value: 3n * ton, body: commentBody("Anybody there?") }]),
        dan.sends([{ to: nobody, value: ton / 2n, body: commentBody("Keep it"), bounce: false }]),
      ],
    },
    {
      title: "Gus reaches for Ann's acorns",
      messages: [
        gus.sends([{ to: acorn.walletOf(ann.address), value: ton, body: jettonTransferBody(takeAcorns) }]),
      ],
    },
    {
      title: "Ann sends more acorns than she has",
      messages: [
        ann.sends([
          {
            to: acorn.walletOf(ann.address),
            value: ton,
            body: jettonTransferBody({ ...takeAcorns, amount: 10n ** 20n }),
          },
        ]),
      ],
    },
    {
      title: "Ben reaches for Eve's tree",
      messages: [ben.sends([{ to: collection.item(5n), value: ton, body: nftTransferBody(takeTree) }])],
    },
    {
      title: "Hana asks the jetton minter for something it does not know",
      messages: [hana.sends([{ to: acorn.address, value: ton, body: commentBody("Do you take orders?") }])],
    },
    // Must be Cleo's last transfer: the wallet does not count one that fails in the action phase.
    {
      title: "Cleo spends more than she has",
      messages: [
        cleo.sends([{ to: eve.address, value: 10n ** 15n, body: commentBody("I am rich") }], strictly),
      ],
    },
  ];
}
