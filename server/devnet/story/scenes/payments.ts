import { commentBody } from "../../wallets/compose.js";
import type { Participants } from "../participants.js";
import { type StoryBlock, ton } from "../story-block.js";

/** Deploys all wallets: the first transfer of each contains its code. */
export function wakeWallets(participants: Participants): StoryBlock[] {
  const { faucet, ann, ben, cleo, dan, eve, finn, gus, hana, iris } = participants;
  const welcome = [gus, hana, iris].map(({ address }) => ({
    to: address,
    value: 500n * ton,
    body: commentBody("Welcome to the devnet"),
    bounce: false,
  }));
  return [
    { title: "The faucet welcomes three newcomers", messages: [faucet.sends(welcome)] },
    {
      title: "Ann and Ben use their wallets",
      messages: [ann.pays(ben, 12n * ton, "Hello Ben"), ben.pays(ann, ton)],
    },
    {
      title: "Cleo and Dan use theirs",
      messages: [cleo.pays(dan, 5n * ton, "Lunch"), dan.pays(cleo, 2n * ton)],
    },
    {
      title: "Eve and Finn use theirs",
      messages: [eve.pays(finn, ton, "Hi"), finn.pays(eve, ton, "Hi yourself")],
    },
    {
      title: "Gus, Hana and Iris use theirs",
      messages: [gus.pays(ann, ton), hana.pays(ben, ton), iris.pays(cleo, ton)],
    },
  ];
}

/** Payments between wallets: comments, several recipients, several transfers per block. */
export function payEachOther(participants: Participants): StoryBlock[] {
  const { faucet, ann, ben, cleo, dan, eve, finn, gus, hana, iris } = participants;
  const everybody = [ann, ben, cleo, dan, eve, finn, gus, hana, iris];
  const shares = everybody.map(({ address }, index) => ({
    to: address,
    value: BigInt(index + 1) * ton,
    body: commentBody(`Share ${index + 1} of ${everybody.length}`),
  }));
  const rent = [ann, ben, eve].map(({ address }) => ({
    to: address,
    value: 7n * ton,
    body: commentBody("Rent"),
  }));
  const letter = "This comment is too long for a single cell, so it goes on in the next one. "
    .repeat(5)
    .trim();
  return [
    {
      title: "Comments in several scripts",
      messages: [ann.pays(dan, ton, "Спасибо!"), dan.pays(ann, ton, "谢谢 🙏")],
    },
    { title: "A letter", messages: [cleo.pays(finn, 3n * ton, letter)] },
    { title: "Hana pays three at once", messages: [hana.sends(rent)] },
    { title: "Finn pays everybody at once", messages: [finn.sends(shares)] },
    {
      title: "Eve pays herself, Gus pays nothing",
      messages: [eve.pays(eve, ton, "Note to self"), gus.pays(hana, 0n, "Just a note")],
    },
    {
      title: "Several orders of one wallet in a block",
      messages: [
        iris.pays(ann, ton, "1 of 3"),
        iris.pays(ann, 2n * ton, "2 of 3"),
        iris.pays(ann, 3n * ton, "3 of 3"),
      ],
    },
    { title: "A gift of the faucet", messages: [faucet.pays(iris, 1000n * ton, "Enjoy")] },
  ];
}
