import { auctions } from "./auctions.js";
import { basic } from "./basic.js";
import { cocoon } from "./cocoon.js";
import { coffee } from "./coffee.js";
import { dns } from "./dns.js";
import type { Goldens } from "./golden.js";
import { jettons } from "./jettons.js";
import { layerzero } from "./layerzero.js";
import { lending } from "./lending.js";
import { liquidity } from "./liquidity.js";
import { nfts } from "./nfts.js";
import { sales } from "./sales.js";
import { staking } from "./staking.js";
import { tgbtc } from "./tgbtc.js";
import { wallets } from "./wallets.js";

/** Texts of every type of action. */
export const goldens: Goldens = {
  ...basic,
  ...jettons,
  ...nfts,
  ...sales,
  ...auctions,
  ...dns,
  ...liquidity,
  ...coffee,
  ...staking,
  ...wallets,
  ...lending,
  ...tgbtc,
  ...layerzero,
  ...cocoon,
};
