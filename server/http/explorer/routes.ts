import type { ExplorerPath } from "../pages/explorer-paths.js";
import type { View } from "./view.js";
import { showAccount } from "./views/account.js";
import { showBlock } from "./views/block.js";
import { showBlocks } from "./views/blocks.js";
import { showDevnet } from "./views/devnet.js";
import { showDomain } from "./views/domain.js";
import { showHome } from "./views/home.js";
import { showTrace } from "./views/trace.js";
import { showTransaction } from "./views/transaction.js";
import { showTransactions } from "./views/transactions.js";

/** The view of every path. */
export const views: Readonly<Record<ExplorerPath, View>> = {
  "/": showHome,
  "/account/:address": showAccount,
  "/tx/:hash": showTransaction,
  "/trace/:hash": showTrace,
  "/block/:workchain/:shard/:seqno": showBlock,
  "/blocks": showBlocks,
  "/transactions": showTransactions,
  "/domain/:name": showDomain,
  "/devnet": showDevnet,
};
