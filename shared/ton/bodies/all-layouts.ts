import { cocoonLayouts } from "./layouts/cocoon.js";
import { coffeeLayouts } from "./layouts/coffee.js";
import { dedustV2Layouts } from "./layouts/dedust-v2.js";
import { dnsLayouts } from "./layouts/dns.js";
import { evaaLayouts } from "./layouts/evaa.js";
import { jettonLayouts } from "./layouts/jettons.js";
import { layerzeroLayouts } from "./layouts/layerzero.js";
import { multisigLayouts } from "./layouts/multisig.js";
import { nftLayouts } from "./layouts/nfts.js";
import { orderLayouts } from "./layouts/orders.js";
import { stakingLayouts } from "./layouts/staking.js";
import { subscriptionLayouts } from "./layouts/subscriptions.js";
import { tgbtcLayouts } from "./layouts/tgbtc.js";
import { toncoLayouts } from "./layouts/tonco.js";
import { vestingLayouts } from "./layouts/vesting.js";

/**
 * Layouts read only by `bodyOf` and `bodyStart` under separate names, for classifiers and multisig orders. Answers
 * decode bodies by `families.ts`, so these do not affect clients.
 */
export const layouts = [
  cocoonLayouts,
  coffeeLayouts,
  dedustV2Layouts,
  dnsLayouts,
  evaaLayouts,
  jettonLayouts,
  layerzeroLayouts,
  multisigLayouts,
  nftLayouts,
  orderLayouts,
  stakingLayouts,
  subscriptionLayouts,
  tgbtcLayouts,
  toncoLayouts,
  vestingLayouts,
] as const;
