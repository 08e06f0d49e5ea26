import type { Payment } from "../../../contracts/wallet-order.js";
import { jettonBurnBody, jettonTransferBody } from "../contracts/jetton.js";
import { MintlessJetton } from "../contracts/mintless-jetton.js";
import { onchainContent } from "../contracts/token-content.js";
import type { Participants } from "../participants.js";
import { farFuture, type StoryBlock, ton } from "../story-block.js";

const leaves = 1_000_000n;
/** Value attached to a request. The excess is returned. */
const postage = ton / 2n;

/** Eve's mintless jetton. Ann, Ben and Gus may claim leaves. */
export function leafOf({ ann, ben, eve, gus }: Participants, time: number): MintlessJetton {
  const about = { name: "Leaf", symbol: "LEAF", description: "Falls from the trees.", decimals: "6" };
  const airdrop = [ann, ben, gus].map(({ address: owner }, index) => ({
    owner,
    amount: BigInt(index + 1) * 1000n * leaves,
    startFrom: time,
    expireAt: farFuture,
  }));
  return new MintlessJetton(eve.address, onchainContent(about), airdrop);
}

/** Ann claims her leaves with her first transfer. Iris gets minted ones, and burns some. */
export function dropLeaves(participants: Participants, time: number): StoryBlock[] {
  const { ann, eve, hana, iris } = participants;
  const leaf = leafOf(participants, time);
  const transfer = { to: hana.address, amount: 10n * leaves, excessesTo: ann.address, forwardTons: 1n };
  const claim: Payment = {
    to: leaf.walletOf(ann.address),
    value: postage,
    body: jettonTransferBody({ ...transfer, customPayload: leaf.claim(ann.address), queryId: 10_001 }),
    init: leaf.walletInit(ann.address),
  };
  return [
    {
      title: "Eve lets leaves fall",
      messages: [
        eve.sends([
          {
            to: leaf.address,
            value: postage,
            body: leaf.mintBody({ to: iris.address, amount: 50n * leaves, tons: ton / 5n, queryId: 10_000 }),
            init: leaf.init,
          },
        ]),
      ],
    },
    {
      title: "Ann claims hers and gives Hana some, Iris burns some",
      messages: [
        ann.sends([claim]),
        iris.sends([
          {
            to: leaf.walletOf(iris.address),
            value: postage,
            body: jettonBurnBody(20n * leaves, iris.address, 10_002),
          },
        ]),
      ],
    },
  ];
}
