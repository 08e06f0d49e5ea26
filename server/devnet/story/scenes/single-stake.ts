import { SingleNominator } from "../contracts/single-nominator.js";
import { newcomer, type Participant, type Participants } from "../participants.js";
import { type StoryBlock, ton } from "../story-block.js";

/** Nora has a wallet in the masterchain, and stakes the coins of Gus. */
export function noraOf(seed: string): Participant {
  return newcomer(seed, "nora", "v3r2", -1);
}

/** The contract through which Nora stakes the coins of Gus. */
export function singleNominatorOf({ gus, nora }: { gus: Participant; nora: Participant }): SingleNominator {
  return new SingleNominator({ owner: gus.address, validator: nora.address });
}

/** Gus lends Nora his coins, which she can stake but not spend. For devnets with elections. */
export function lendToNora({ faucet, gus }: Participants, nora: Participant): StoryBlock[] {
  const { address, init } = singleNominatorOf({ gus, nora });
  return [
    {
      title: "The faucet sends Gus money for a validator, and Nora some for fees",
      messages: [
        faucet.sends([
          { to: gus.address, value: 600_000n * ton, bounce: false },
          { to: nora.address, value: 10_000n * ton, bounce: false },
        ]),
      ],
    },
    {
      title: "Gus lends it to Nora",
      messages: [gus.sends([{ to: address, value: 500_000n * ton, init }])],
    },
    { title: "Nora can stake it", messages: [] },
  ];
}
