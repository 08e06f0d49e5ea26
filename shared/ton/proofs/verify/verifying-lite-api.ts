import type { LiteApi, LiteCall, MasterchainInfoExt } from "../../lite/lite-api.js";
import { getAccountState, getAccountStatePrunned } from "./accounts.js";
import { listBlockTransactions, listBlockTransactionsExt } from "./block-transactions.js";
import { getBlock, getState } from "./blocks.js";
import { type CheckOptions, checkedCalls } from "./checked-calls.js";
import { getConfigAll, getConfigParams } from "./config.js";
import { getBlockHeader } from "./headers.js";
import { getLibraries, getLibrariesWithProof } from "./libraries.js";
import { lookupBlock, lookupBlockWithProof } from "./lookups.js";
import { check } from "./proof-error.js";
import type { ProvenChain, Proving } from "./proven-chain.js";
import {
  getBlockOutMsgQueueSize,
  getDispatchQueueInfo,
  getDispatchQueueMessages,
  getOutMsgQueueSizes,
} from "./queues.js";
import { runSmcMethod } from "./run-method.js";
import { sendMessage } from "./send-message.js";
import { getShardBlockProof } from "./shard-links.js";
import { getAllShardsInfo, getShardInfo } from "./shards.js";
import { getOneTransaction, getTransactions } from "./transactions.js";
import { getBlockProof } from "./trust/block-proof.js";
import { getValidatorStats } from "./validator-stats.js";

/**
 * Wraps a server's LiteApi: requests proofs, and passes on only answers with valid proofs. Otherwise the call rejects
 * with a ProofError. The server's own LiteErrors are passed on, because no proof shows whether it could have
 * answered. Answers are proven against the ids in the request, the server's newest block against the trust chain. Not
 * provable: results of get-methods, the server's clock and version, its pending blocks.
 */
export function verifyingLiteApi(lite: LiteApi, trust: ProvenChain, options: CheckOptions = {}): LiteApi {
  const method = checkedCalls(lite, trust, options);
  return {
    getMasterchainInfo: method("getMasterchainInfo", (_, __, call) => trust.newest(lite, call)),
    getMasterchainInfoExt: method("getMasterchainInfoExt", masterchainInfoExt),
    getTime: (request, call) => lite.getTime(request, call),
    getVersion: (request, call) => lite.getVersion(request, call),
    getBlock: method("getBlock", getBlock),
    getState: method("getState", getState),
    getBlockHeader: method("getBlockHeader", getBlockHeader),
    lookupBlock: method("lookupBlock", lookupBlock),
    lookupBlockWithProof: method("lookupBlockWithProof", lookupBlockWithProof),
    getAllShardsInfo: method("getAllShardsInfo", getAllShardsInfo),
    getShardInfo: method("getShardInfo", getShardInfo),
    getShardBlockProof: method("getShardBlockProof", getShardBlockProof),
    getAccountState: method("getAccountState", getAccountState),
    getAccountStatePrunned: method("getAccountStatePrunned", getAccountStatePrunned),
    runSmcMethod: method("runSmcMethod", runSmcMethod),
    sendMessage: method("sendMessage", sendMessage),
    getTransactions: method("getTransactions", getTransactions),
    getOneTransaction: method("getOneTransaction", getOneTransaction),
    listBlockTransactions: method("listBlockTransactions", listBlockTransactions),
    listBlockTransactionsExt: method("listBlockTransactionsExt", listBlockTransactionsExt),
    getConfigAll: method("getConfigAll", getConfigAll),
    getConfigParams: method("getConfigParams", getConfigParams),
    getLibraries: method("getLibraries", getLibraries),
    getLibrariesWithProof: method("getLibrariesWithProof", getLibrariesWithProof),
    getBlockProof: method("getBlockProof", getBlockProof),
    getOutMsgQueueSizes: method("getOutMsgQueueSizes", getOutMsgQueueSizes),
    getBlockOutMsgQueueSize: method("getBlockOutMsgQueueSize", getBlockOutMsgQueueSize),
    getValidatorStats: method("getValidatorStats", getValidatorStats),
    getDispatchQueueInfo: method("getDispatchQueueInfo", getDispatchQueueInfo),
    getDispatchQueueMessages: method("getDispatchQueueMessages", getDispatchQueueMessages),
    getPendingShardBlocks: (request, call) => lite.getPendingShardBlocks(request, call),
  };
}

async function masterchainInfoExt(
  { lite, trust }: Proving,
  request: { shardsApplied?: boolean } = {},
  call: LiteCall,
): Promise<MasterchainInfoExt> {
  const answer = await lite.getMasterchainInfoExt(request, call);
  const { genUtime } = await trust.proveInfo(lite, answer, call);
  check(answer.lastUtime === genUtime, "wrong time of the newest block");
  return answer;
}
