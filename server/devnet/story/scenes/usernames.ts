import type { Payment } from "../../../contracts/wallet-order.js";
import { contractCode } from "../../contracts/codes.js";
import { commentBody } from "../../wallets/compose.js";
import { NftCollection } from "../contracts/nft.js";
import { deployItemMessage, startAuctionBody } from "../contracts/telemint.js";
import type { Participant, Participants } from "../participants.js";
import { type StoryBlock, ton } from "../story-block.js";

const uri = "https://usernames.example/";
/** A year. */
const duration = 365 * 86_400;

/** Ben's collection of user names, which are sold like Telegram's. */
export function usernamesOf({ ben }: Participants): NftCollection {
  return new NftCollection(ben.address, uri, contractCode("telemint-item"));
}

/** Hana buys `sprout` at once, Iris and Finn bid for `sapling`, and Gus puts his `stump` up for auction. */
export function sellUsernames(participants: Participants): StoryBlock[] {
  const { ben, finn, gus, hana, iris } = participants;
  const collection = usernamesOf(participants);
  const terms = { beneficiary: ben.address, minBid: 2n * ton, maxBid: 100n * ton, duration };
  let queryId = 9000;

  const mint = (
    index: bigint,
    name: string,
    { address: bidder }: Participant,
    bid: bigint,
    maxBid: bigint,
  ): Payment => {
    const auction = { ...terms, maxBid };
    const item = {
      name,
      domain: "example\0",
      content: `${name}.json`,
      bidder,
      bid,
      auction,
      royaltyTo: ben.address,
    };
    return {
      to: collection.address,
      value: bid + ton / 2n,
      body: collection.deployBody(
        { index, tons: bid + ton / 5n, message: deployItemMessage(item) },
        queryId++,
      ),
      init: index === 0n ? collection.init : undefined,
    };
  };
  const his = { ...terms, beneficiary: gus.address };
  return [
    {
      title: "Ben mints user names for their first bidders",
      messages: [
        ben.sends([
          mint(0n, "sprout", hana, 10n * ton, 10n * ton),
          mint(1n, "sapling", iris, 3n * ton, 100n * ton),
          mint(2n, "stump", gus, 4n * ton, 4n * ton),
        ]),
      ],
    },
    {
      title: "Finn outbids Iris, and Gus puts his name up for auction",
      messages: [
        finn.sends([{ to: collection.item(1n), value: 5n * ton, body: commentBody("For my tree house") }]),
        gus.sends([{ to: collection.item(2n), value: ton / 2n, body: startAuctionBody(his, queryId++) }]),
      ],
    },
  ];
}
