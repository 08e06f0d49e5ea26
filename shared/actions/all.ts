import type { z } from "zod";
import { basicActions } from "./basic.js";
import { cocoonActions } from "./cocoon.js";
import { coffeeActions } from "./coffee.js";
import { dnsActions } from "./dns.js";
import { jettonActions } from "./jettons.js";
import { layerzeroActions } from "./layerzero.js";
import { lendingActions } from "./lending.js";
import { liquidityActions } from "./liquidity.js";
import type { Given } from "./member.js";
import { nftActions } from "./nfts.js";
import { stakingActions } from "./staking.js";
import { tgbtcActions } from "./tgbtc.js";
import { walletActions } from "./wallets.js";

/** The declarations of all types of actions. */
export const actionDeclarations = {
  ...basicActions,
  ...jettonActions,
  ...nftActions,
  ...dnsActions,
  ...liquidityActions,
  ...coffeeActions,
  ...stakingActions,
  ...walletActions,
  ...lendingActions,
  ...tgbtcActions,
  ...layerzeroActions,
  ...cocoonActions,
};

type Declarations = typeof actionDeclarations;

export type ActionType = keyof Declarations;
export const actionTypes = Object.keys(actionDeclarations) as readonly ActionType[];

/** Types of stored actions; the other one is a name for transfers with extra currencies. */
export type StoredType = Exclude<ActionType, "extra_currency_transfer">;

/** The details that callers receive, by type. */
export type ActionDetails = { readonly [Type in ActionType]: z.output<Declarations[Type]["schema"]> };

/** The members that a family gives for an action of a type. */
export type ActionMembers<Type extends StoredType> = Given<Declarations[Type]["members"]>;
