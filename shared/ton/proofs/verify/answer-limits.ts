import { statedCells } from "../../cells/boc/boc-header.js";
import type { LiteMethod } from "../../lite/lite-methods.js";
import { ProofError } from "./proof-error.js";

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

const answerLimits: Readonly<Record<LiteMethod, AnswerLimit>> = {
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

/** Refuses an answer above the limit of its method, before it is decoded. Throws a ProofError. */
export function checkAnswerBytes(method: LiteMethod, bytes: number): void {
  const limit = answerLimits[method].bytes;
  if (bytes > limit) throw refused(method, `${bytes} bytes exceed the limit of ${limit}`);
}

/** A field or item of an answer that is a bag of cells, with its stated number of cells. */
export type BagPlace = { holder: Record<string, unknown>; name: string; cells: number };

/** The bags of a decoded answer, before they are parsed. Throws a ProofError if they have more cells than the method's limit. */
export function bagsOfAnswer(method: LiteMethod, answer: unknown): { places: BagPlace[]; cells: number } {
  const places = placesOfBags(answer);
  const cells = places.reduce((sum, place) => sum + place.cells, 0);
  const limit = answerLimits[method].cells;
  if (cells > limit) throw refused(method, `${cells} cells exceed the limit of ${limit}`);
  return { places, cells };
}

function refused(method: LiteMethod, reason: string): ProofError {
  return new ProofError(`${method}: the answer is too large: ${reason}`, { method });
}

function placesOfBags(answer: unknown): BagPlace[] {
  const places: BagPlace[] = [];
  const search = (holder: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(holder)) {
      if (typeof value !== "object" || value === null) continue;
      const cells = value instanceof Uint8Array ? statedCells(value) : undefined;
      if (cells !== undefined) places.push({ holder, name, cells });
      // Objects and arrays of a decoded answer are plain.
      else if (!(value instanceof Uint8Array)) search(value as Record<string, unknown>);
    }
  };
  search(answer as Record<string, unknown>);
  return places;
}
