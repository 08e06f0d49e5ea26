import { bidask } from "./bidask.js";
import { cocoon } from "./cocoon.js";
import { cron } from "./cron.js";
import { dedust } from "./dedust.js";
import { dns } from "./dns.js";
import { elector } from "./elector.js";
import { evaa } from "./evaa.js";
import { exchanges } from "./exchanges.js";
import { jettons } from "./jettons.js";
import { jvault } from "./jvault.js";
import { known } from "./known.js";
import { layerzero } from "./layerzero.js";
import { liquidStaking } from "./liquid-staking.js";
import { marketplaces } from "./marketplaces.js";
import { memes } from "./memes.js";
import { moon } from "./moon.js";
import { multisig } from "./multisig.js";
import { nfts } from "./nfts.js";
import { paymentChannels } from "./payment-channels.js";
import { pyth } from "./pyth.js";
import { stonfi } from "./stonfi.js";
import { storage } from "./storage.js";
import { storm } from "./storm.js";
import { subscriptions } from "./subscriptions.js";
import { swapCoffee } from "./swap-coffee.js";
import { telegram } from "./telegram.js";
import { tgbtc } from "./tgbtc.js";
import { tonco } from "./tonco.js";
import { tonstakers } from "./tonstakers.js";
import { twoFactor } from "./two-factor.js";
import { vesting } from "./vesting.js";
import { wallets } from "./wallets.js";
import { whales } from "./whales.js";

/**
 * Declarations of bodies, contract by contract. Where several have an opcode in common they are tried in this order,
 * and the first names the opcode.
 */
export const families: readonly string[] = [
  known,
  jettons,
  nfts,
  dns,
  marketplaces,
  telegram,
  wallets,
  twoFactor,
  multisig,
  vesting,
  subscriptions,
  cron,
  elector,
  whales,
  tonstakers,
  liquidStaking,
  stonfi,
  dedust,
  swapCoffee,
  tonco,
  bidask,
  moon,
  exchanges,
  evaa,
  pyth,
  storm,
  jvault,
  memes,
  cocoon,
  tgbtc,
  layerzero,
  storage,
  paymentChannels,
];
