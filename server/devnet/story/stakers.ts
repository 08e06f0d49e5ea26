import type { Staker } from "../elections/staker.js";
import { gusOf, maxOf } from "./participants.js";
import { poolOf } from "./pool-shares.js";
import { noraOf, singleNominatorOf } from "./single-stake.js";

/** The story's contracts through which Max and Nora stake. */
export function storyStakers(seed: string): Staker[] {
  const [gus, max, nora] = [gusOf(seed), maxOf(seed), noraOf(seed)];
  return [
    { role: "pool", wallet: max.wallet, holder: poolOf({ max }).address },
    { role: "single-nominator", wallet: nora.wallet, holder: singleNominatorOf({ gus, nora }).address },
  ];
}
