import { spendGrantBody, Vesting, whitelistBody } from "../contracts/vesting.js";
import type { Participants } from "../participants.js";
import { type StoryBlock, ton } from "../story-block.js";

const month = 30 * 86_400;

/** Grants unlocked monthly over twenty years. Only Hana's has a whitelist. */
export function grantsOf(
  { ann, eve, hana, iris }: Participants,
  time: number,
): { hanas: Vesting; iriss: Vesting } {
  const terms = { startTime: time, duration: 240 * month, unlockPeriod: month, cliff: month };
  return {
    hanas: new Vesting({
      ...terms,
      sender: ann.address,
      owner: hana.address,
      ownerKey: hana.wallet.publicKey,
      amount: 240n * ton,
    }),
    iriss: new Vesting({
      ...terms,
      sender: eve.address,
      owner: iris.address,
      ownerKey: iris.wallet.publicKey,
      amount: 120n * ton,
    }),
  };
}

/** Both grants are funded. Hana sends locked money to Gus, who is on her whitelist. */
export function giveGrants(participants: Participants, time: number): StoryBlock[] {
  const { ann, eve, gus, dan, hana } = participants;
  const { hanas, iriss } = grantsOf(participants, time);
  // With locked money, the wallet only allows the comments of nominator pools.
  const toGus = { to: gus.address, value: 3n * ton };
  return [
    {
      title: "Ann and Eve make grants",
      messages: [
        ann.sends([{ to: hanas.address, value: 240n * ton, init: hanas.init }]),
        eve.sends([{ to: iriss.address, value: 120n * ton, init: iriss.init }]),
      ],
    },
    {
      title: "Ann allows Hana to pay Gus and Dan from hers",
      messages: [
        ann.sends([
          {
            to: hanas.address,
            value: ton / 2n,
            body: whitelistBody([gus.address, dan.address], 7000),
          },
        ]),
      ],
    },
    {
      title: "Hana pays Gus from her grant",
      messages: [hana.sends([{ to: hanas.address, value: ton / 2n, body: spendGrantBody(toGus, 7001) }])],
    },
  ];
}
