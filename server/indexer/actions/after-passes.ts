import type { AfterPass } from "./after-pass.js";
import { pairDedustV2Deposits } from "./families/dedust-v2-deposits.js";

/** In this order. The comment names the place of one to come. */
export const afterPasses: readonly AfterPass[] = [
  // pairing of dedust deposits
  pairDedustV2Deposits,
];
