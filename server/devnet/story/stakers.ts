import type { Staker } from "../elections/staker.js";
import { gusOf, maxOf } from "./participants.js";
import { poolOf } from "./pool-shares.js";
import { noraOf, singleNominatorOf } from "./single-stake.js";

/** The contracts of the story through which Max and Nora stake, as far as the story has come. */
export function storyStakers(seed: string): Staker[] {
  const [gus, max, nora] = [gusOf(seed), maxOf(seed), noraOf(seed)];
  return [
    { role: "pool", wallet: max.wallet, holder: poolOf({ max }).address },
    { role: "single-nominator", wallet: nora.wallet, holder: singleNominatorOf({ gus, nora }).address },
  ];
}
