import type { ExplorerPath } from "../pages/explorer-paths.js";
import type { View } from "./view.js";
import { showBlocks } from "./views/blocks.js";
import { showHome } from "./views/home.js";
import { showTransactions } from "./views/transactions.js";

const details = () => import("./views/details.js");
const devnet = () => import("./views/devnet.js");
const steps = () => import("./debugger/debugger.js");

/** The view of every path. Those beyond the first lists are in scripts that are loaded when one of them is opened. */
const views: Readonly<Record<ExplorerPath, () => View | Promise<View>>> = {
  "/": () => showHome,
  "/blocks": () => showBlocks,
  "/transactions": () => showTransactions,
  "/account/:address": async () => (await details()).showAccount,
  "/tx/:hash": async () => (await details()).showTransaction,
  "/tx/:hash/debug": async () => (await steps()).showTransactionSteps,
  "/debug/:run": async () => (await steps()).showRunSteps,
  "/trace/:hash": async () => (await details()).showTrace,
  "/block/:workchain/:shard/:seqno": async () => (await details()).showBlock,
  "/address-book": async () => (await details()).showAddressBook,
  "/validators": async () => (await details()).showValidators,
  "/pools": async () => (await details()).showPools,
  "/pool/:address": async () => (await details()).showPool,
  "/config": async () => (await details()).showConfig,
  "/supply": async () => (await details()).showSupply,
  "/domain/:name": async () => (await details()).showDomain,
  "/jetton/:address": async () => (await details()).showJetton,
  "/nft/:address": async () => (await details()).showNft,
  "/collection/:address": async () => (await details()).showCollection,
  "/devnet": async () => (await devnet()).showDevnet,
};

export async function viewOf(path: ExplorerPath): Promise<View> {
  try {
    return await views[path]();
  } catch (error) {
    // The service may have been updated since the page was opened, and has other scripts then.
    throw new Error("The script of this view could not be loaded. Reload the page.", { cause: error });
  }
}
