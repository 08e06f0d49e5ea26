import { bidask } from "./families/bidask.js";
import { cocoon } from "./families/cocoon.js";
import { cron } from "./families/cron.js";
import { dedust } from "./families/dedust.js";
import { dns } from "./families/dns.js";
import { elector } from "./families/elector.js";
import { evaa } from "./families/evaa.js";
import { exchanges } from "./families/exchanges.js";
import { jettons } from "./families/jettons.js";
import { jvault } from "./families/jvault.js";
import { known } from "./families/known.js";
import { layerzero } from "./families/layerzero.js";
import { liquidStaking } from "./families/liquid-staking.js";
import { marketplaces } from "./families/marketplaces.js";
import { memes } from "./families/memes.js";
import { moon } from "./families/moon.js";
import { multisig } from "./families/multisig.js";
import { nfts } from "./families/nfts.js";
import { paymentChannels } from "./families/payment-channels.js";
import { pyth } from "./families/pyth.js";
import { stonfi } from "./families/stonfi.js";
import { storage } from "./families/storage.js";
import { storm } from "./families/storm.js";
import { subscriptions } from "./families/subscriptions.js";
import { swapCoffee } from "./families/swap-coffee.js";
import { telegram } from "./families/telegram.js";
import { tgWalletLogs } from "./families/tg-wallet.js";
import { tgbtc } from "./families/tgbtc.js";
import { tonco } from "./families/tonco.js";
import { tonstakers } from "./families/tonstakers.js";
import { twoFactor } from "./families/two-factor.js";
import { vesting } from "./families/vesting.js";
import { wallets } from "./families/wallets.js";
import { whales } from "./families/whales.js";

/**
 * Declarations of bodies by contract. Bodies of the same opcode are tried in this order, and the first names the
 * opcode. The types of fields are derived from these texts (`declared.ts`).
 */
export const families = [
  known,
  jettons,
  nfts,
  dns,
  marketplaces,
  telegram,
  wallets,
  tgWalletLogs,
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
  pyth,
  evaa,
  storm,
  jvault,
  memes,
  cocoon,
  tgbtc,
  layerzero,
  storage,
  paymentChannels,
] as const;
