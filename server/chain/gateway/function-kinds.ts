import type { BlockLookup, BlockProofQuery } from "../../../shared/ton/lite/lite-api.js";
import type { LiteMethod } from "../../../shared/ton/lite/lite-methods.js";
import { wire } from "../../../shared/ton/tl/codecs.js";
import { functionOf, type LiteQuery, liteMethods } from "../../../shared/ton/tl/lite-functions.js";
import { type BlockIdExt, latestSeqno } from "../../../shared/ton/tlb/block-id.js";

/**
 * How long an answer stays true: `immutable`, until the next masterchain block (`head`), or not at all (`none`). An
 * `effect` changes the chain.
 */
type Lasting = "immutable" | "head" | "none" | "effect";

/** Points of the rate limit: more for answers with lists of proofs, most for answers of unbounded size. */
type Cost = 1 | 2 | 5;

type Kind = { cost: Cost; lasts: Lasting | ((request: object) => Lasting) };

const ofBlock = (request: object): Lasting =>
  (request as { id: BlockIdExt }).id.seqno === latestSeqno ? "head" : "immutable";

/** A later block may be a better answer to a search by lt or time. */
const ofLookup = (request: object): Lasting => ((request as BlockLookup).bySeqno ? "immutable" : "head");

const ofProof = (request: object): Lasting => {
  const { targetBlock, baseOnGiven } = request as BlockProofQuery;
  return targetBlock && baseOnGiven ? "immutable" : "head";
};

const kinds: Record<LiteMethod, Kind> = {
  getMasterchainInfo: { cost: 1, lasts: "head" },
  getMasterchainInfoExt: { cost: 1, lasts: "none" },
  getTime: { cost: 1, lasts: "none" },
  getVersion: { cost: 1, lasts: "none" },
  getBlock: { cost: 5, lasts: ofBlock },
  getState: { cost: 5, lasts: ofBlock },
  getBlockHeader: { cost: 1, lasts: ofBlock },
  lookupBlock: { cost: 1, lasts: ofLookup },
  lookupBlockWithProof: { cost: 2, lasts: ofLookup },
  getAllShardsInfo: { cost: 1, lasts: ofBlock },
  getShardInfo: { cost: 1, lasts: ofBlock },
  getShardBlockProof: { cost: 2, lasts: ofBlock },
  getAccountState: { cost: 1, lasts: ofBlock },
  getAccountStatePrunned: { cost: 1, lasts: ofBlock },
  // Its run costs further points by its CPU time.
  runSmcMethod: { cost: 2, lasts: ofBlock },
  sendMessage: { cost: 1, lasts: "effect" },
  getTransactions: { cost: 1, lasts: "head" },
  getOneTransaction: { cost: 1, lasts: ofBlock },
  listBlockTransactions: { cost: 2, lasts: ofBlock },
  listBlockTransactionsExt: { cost: 5, lasts: ofBlock },
  getConfigAll: { cost: 5, lasts: ofBlock },
  getConfigParams: { cost: 1, lasts: ofBlock },
  getLibraries: { cost: 1, lasts: "head" },
  getLibrariesWithProof: { cost: 2, lasts: ofBlock },
  getBlockProof: { cost: 5, lasts: ofProof },
  getOutMsgQueueSizes: { cost: 2, lasts: "head" },
  getBlockOutMsgQueueSize: { cost: 1, lasts: ofBlock },
  getValidatorStats: { cost: 5, lasts: ofBlock },
  getDispatchQueueInfo: { cost: 2, lasts: ofBlock },
  getDispatchQueueMessages: { cost: 5, lasts: ofBlock },
  getPendingShardBlocks: { cost: 1, lasts: "none" },
};

/** How long the answer of a query stays true. */
export function lastingOf({ method, request }: LiteQuery): Lasting {
  const { lasts } = kinds[method];
  return typeof lasts === "function" ? lasts(request) : lasts;
}

/** Bytes of `liteServer.waitMasterchainSeqno seqno:int timeout_ms:int`. */
const waitBytes = 12;
const waitId = idOf("liteServer.waitMasterchainSeqno");
const costs = new Map(liteMethods.map((method) => [functionOf(method).declaration.id, kinds[method].cost]));

/** Bytes of a query from which its cost follows. */
export const costBytes = waitBytes + 4;

/** Points that a query costs, which may be cut after `costBytes`. Other bytes cost one point. */
export function costOf(query: Uint8Array): number {
  const view = new DataView(query.buffer, query.byteOffset, query.byteLength);
  const idAt = (at: number) => (query.length < at + 4 ? undefined : view.getUint32(at, true));
  const first = idAt(0);
  const id = first === waitId ? idAt(waitBytes) : first;
  return (id === undefined ? undefined : costs.get(id)) ?? 1;
}

function idOf(name: string): number {
  return wire.declarations.find((each) => each.name === name)!.id;
}
