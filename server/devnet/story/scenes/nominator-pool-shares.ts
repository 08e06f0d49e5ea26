import { commentBody } from "../../wallets/compose.js";
import {
  depositComment,
  NominatorPool,
  validatorDepositBody,
  withdrawalComment,
} from "../contracts/nominator-pool.js";
import type { Participants } from "../participants.js";
import { type StoryBlock, ton } from "../story-block.js";

/** Kept by the pool from each deposit. */
const poolFee = ton;

/** The pool of Max, who keeps 40 % of its rewards. */
export function nominatorPoolOf({ max }: Pick<Participants, "max">): NominatorPool {
  return new NominatorPool({
    validator: max.address,
    rewardShare: 4000,
    maxNominators: 40,
    minValidatorStake: 50_000n * ton,
    minNominatorStake: 10_000n * ton,
  });
}

/**
 * Max starts a pool, and three nominators join it. One of them leaves before Max adds the minimum for staking. For
 * devnets with elections.
 */
export function shareNominatorPool(participants: Participants): StoryBlock[] {
  const { faucet, max, gus, hana, iris } = participants;
  const pool = nominatorPoolOf(participants);
  const nominators = [gus, hana, iris];
  const deposit = (amount: bigint) => ({
    to: pool.address,
    value: amount + poolFee,
    body: commentBody(depositComment),
  });
  const maxDeposits = (queryId: number, amount: bigint) => ({
    to: pool.address,
    value: amount + poolFee,
    body: validatorDepositBody(queryId),
  });
  return [
    {
      title: "The faucet sends Max and the nominators money for a pool",
      messages: [
        faucet.sends(
          [max, ...nominators].map(({ address }) => ({ to: address, value: 150_000n * ton, bounce: false })),
        ),
      ],
    },
    { title: "Max has his in the masterchain", messages: [] },
    {
      title: "Max begins the pool",
      messages: [max.sends([{ ...maxDeposits(9000, 5000n * ton), init: pool.init }])],
    },
    {
      title: "Gus, Hana and Iris join it",
      messages: nominators.map((nominator, index) =>
        nominator.sends([deposit(BigInt(index + 2) * 30_000n * ton)]),
      ),
    },
    { title: "The pool has their money", messages: [] },
    {
      title: "Iris leaves the pool",
      messages: [iris.sends([{ to: pool.address, value: ton, body: commentBody(withdrawalComment) }])],
    },
    { title: "The pool pays Iris out", messages: [] },
    { title: "Iris has her money", messages: [] },
    {
      title: "Max adds what a validator has to bring, and the pool can stake",
      messages: [max.sends([maxDeposits(9001, 95_000n * ton)])],
    },
  ];
}
