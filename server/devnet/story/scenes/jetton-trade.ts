import type { Payment } from "../../../contracts/wallet-order.js";
import { commentBody } from "../../wallets/compose.js";
import { Jetton, jettonBurnBody, jettonTransferBody } from "../contracts/jetton.js";
import { onchainContent } from "../contracts/token-content.js";
import type { Participant, Participants } from "../participants.js";
import { type StoryBlock, ton } from "../story-block.js";

/** The jettons of the story: one with on-chain metadata, the other with a link to more of it. */
export function jettonsOf({ cleo, dan }: Participants): { acorn: Jetton; devDollar: Jetton } {
  const aboutAcorn = {
    name: "Acorn",
    symbol: "ACORN",
    description: "Grows on the devnet. Worth nothing anywhere.",
    decimals: "9",
  };
  const aboutDollar = {
    uri: "https://tokens.example/dev-dollar.json",
    name: "Dev dollar",
    symbol: "DEVUSD",
    decimals: "6",
  };
  return {
    acorn: new Jetton(cleo.address, onchainContent(aboutAcorn)),
    devDollar: new Jetton(dan.address, onchainContent(aboutDollar)),
  };
}

const acorns = 1_000_000_000n;
const dollars = 1_000_000n;
/** Value attached to a jetton transfer. The excess is returned. */
const postage = ton / 5n;

/** Payments that mint, transfer and burn jettons, with numbered queries. */
function jettonOrders() {
  let queryId = 1000;

  const mint = (jetton: Jetton, to: Participant, amount: bigint, first = false): Payment => ({
    to: jetton.address,
    value: ton,
    body: jetton.mintBody({ to: to.address, amount, tons: ton / 5n, queryId: queryId++ }),
    init: first ? jetton.init : undefined,
  });
  const transfer = (
    jetton: Jetton,
    from: Participant,
    to: Participant,
    amount: bigint,
    note?: string,
  ): Payment => ({
    to: jetton.walletOf(from.address),
    value: postage,
    body: jettonTransferBody({
      to: to.address,
      amount,
      excessesTo: from.address,
      forwardTons: note === undefined ? 1n : ton / 50n,
      payload: note === undefined ? undefined : commentBody(note),
      queryId: queryId++,
    }),
  });
  const burn = (jetton: Jetton, from: Participant, amount: bigint): Payment => ({
    to: jetton.walletOf(from.address),
    value: postage,
    body: jettonBurnBody(amount, from.address, queryId++),
  });
  return { mint, transfer, burn };
}

/** Mints, transfers and burns of both jettons. */
export function tradeJettons(participants: Participants): StoryBlock[] {
  const { ann, ben, cleo, dan, eve, finn, gus, hana, iris } = participants;
  const { acorn, devDollar } = jettonsOf(participants);
  const { mint, transfer, burn } = jettonOrders();
  return [
    { title: "Cleo issues acorns", messages: [cleo.sends([mint(acorn, cleo, 1_000_000n * acorns, true)])] },
    {
      title: "Dan issues dollars",
      messages: [dan.sends([mint(devDollar, dan, 5_000_000n * dollars, true)])],
    },
    {
      title: "Cleo spreads acorns",
      messages: [
        cleo.sends(
          [ann, eve, gus, iris].map((to) => transfer(acorn, cleo, to, 20_000n * acorns, "Plant them")),
        ),
      ],
    },
    {
      title: "Dan spreads dollars",
      messages: [
        dan.sends([ben, finn, hana].map((to) => transfer(devDollar, dan, to, 100_000n * dollars, "Salary"))),
      ],
    },
    {
      title: "Acorns change hands",
      messages: [
        ann.sends([transfer(acorn, ann, ben, 1_500n * acorns, "For the bread")]),
        eve.sends([transfer(acorn, eve, finn, 333n * acorns), transfer(acorn, eve, hana, 444n * acorns)]),
        gus.sends([transfer(acorn, gus, ann, 1n)]),
      ],
    },
    {
      title: "Dollars change hands",
      messages: [
        ben.sends([transfer(devDollar, ben, ann, 1_999n * dollars, "Invoice 17")]),
        finn.sends([transfer(devDollar, finn, iris, 12_345_678_901n)]),
      ],
    },
    { title: "Iris burns acorns", messages: [iris.sends([burn(acorn, iris, 5_000n * acorns)])] },
    {
      title: "Finn gives all his acorns away, Hana burns dollars",
      messages: [
        finn.sends([transfer(acorn, finn, gus, 333n * acorns, "All I had")]),
        hana.sends([burn(devDollar, hana, 100_000n * dollars)]),
      ],
    },
    { title: "Cleo mints acorns for Ben", messages: [cleo.sends([mint(acorn, ben, 250n * acorns)])] },
  ];
}
