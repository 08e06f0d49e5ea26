import type { LiteMethod } from "../../../shared/ton/lite/lite-methods.js";

/** Size limits of an answer; `cells` counts those of all its bags together. */
type AnswerLimit = { bytes: number; cells: number };

/** A few fields, or a liteserver's error with a log. */
const fields: AnswerLimit = { bytes: 64 << 10, cells: 0 };
/** Headers and paths through dictionaries: some 100 KB on mainnet. */
const proofs: AnswerLimit = { bytes: 2 << 20, cells: 1 << 16 };
/** Lists of a block, the configuration, chains of key blocks: some MB on mainnet. */
const lists: AnswerLimit = { bytes: 8 << 20, cells: 1 << 18 };
/** Content of contracts and users, limited only by the protocol's longest frame. */
const content: AnswerLimit = { bytes: 16 << 20, cells: 1 << 20 };

export const answerLimits: Readonly<Record<LiteMethod, AnswerLimit>> = {
  getMasterchainInfo: fields,
  getMasterchainInfoExt: fields,
  getTime: fields,
  getVersion: fields,
  sendMessage: fields,
  getBlockHeader: proofs,
  lookupBlock: proofs,
  lookupBlockWithProof: proofs,
  getAllShardsInfo: proofs,
  getShardInfo: proofs,
  getShardBlockProof: proofs,
  listBlockTransactions: proofs,
  getOutMsgQueueSizes: proofs,
  getBlockOutMsgQueueSize: proofs,
  getPendingShardBlocks: proofs,
  getAccountStatePrunned: lists,
  getConfigAll: lists,
  getConfigParams: lists,
  getBlockProof: lists,
  getValidatorStats: lists,
  getDispatchQueueInfo: lists,
  getBlock: content,
  getState: content,
  getAccountState: content,
  runSmcMethod: content,
  getTransactions: content,
  getOneTransaction: content,
  listBlockTransactionsExt: content,
  getLibraries: content,
  getLibrariesWithProof: content,
  getDispatchQueueMessages: content,
};
