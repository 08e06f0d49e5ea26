import type { AfterPass } from "./after-pass.js";
import { pairDedustDeposits } from "./families/dedust-deposits.js";
import { pairDedustV2Deposits } from "./families/dedust-v2-deposits.js";

/** In this order. */
export const afterPasses: readonly AfterPass[] = [pairDedustDeposits, pairDedustV2Deposits];
