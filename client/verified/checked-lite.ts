import type { LiteApi } from "../../shared/ton/lite/lite-api.js";
import { getAccountState } from "../../shared/ton/proofs/verify/accounts.js";
import { checkedCalls } from "../../shared/ton/proofs/verify/checked-calls.js";
import { getConfigAll, getConfigParams } from "../../shared/ton/proofs/verify/config.js";
import { getBlockHeader } from "../../shared/ton/proofs/verify/headers.js";
import { getLibraries } from "../../shared/ton/proofs/verify/libraries.js";
import { lookupBlock } from "../../shared/ton/proofs/verify/lookups.js";
import { sendMessage } from "../../shared/ton/proofs/verify/send-message.js";
import { getAllShardsInfo } from "../../shared/ton/proofs/verify/shards.js";
import { getTransactions } from "../../shared/ton/proofs/verify/transactions.js";
import type { TrustChain } from "../../shared/ton/proofs/verify/trust-chain.js";

/** The functions of a liteserver that the client asks for. */
export const checkedMethods = [
  "getAccountState",
  "getTransactions",
  "getBlockHeader",
  "lookupBlock",
  "getAllShardsInfo",
  "getConfigAll",
  "getConfigParams",
  "getLibraries",
  "sendMessage",
] as const satisfies readonly (keyof LiteApi)[];

/** A LiteApi of these functions, which passes on proven answers only. */
export type CheckedLite = Pick<LiteApi, (typeof checkedMethods)[number]>;

/** Checks the answers of one service; other functions stay out of the bundle. */
export function checkedLite(lite: LiteApi, trust: TrustChain): CheckedLite {
  // API v2 does not show the blocks of an account's transactions.
  const method = checkedCalls(lite, trust, { proveTransactionBlocks: false });
  return {
    getAccountState: method("getAccountState", getAccountState),
    getTransactions: method("getTransactions", getTransactions),
    getBlockHeader: method("getBlockHeader", getBlockHeader),
    lookupBlock: method("lookupBlock", lookupBlock),
    getAllShardsInfo: method("getAllShardsInfo", getAllShardsInfo),
    getConfigAll: method("getConfigAll", getConfigAll),
    getConfigParams: method("getConfigParams", getConfigParams),
    getLibraries: method("getLibraries", getLibraries),
    sendMessage: method("sendMessage", sendMessage),
  };
}
