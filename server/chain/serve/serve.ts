import { updateHashes } from "../../../shared/ton/cells/merkle/merkle-update.js";
import {
  type LiteApi,
  type LiteCall,
  LiteError,
  liteErrorCode,
  type MasterchainInfo,
  type Version,
} from "../../../shared/ton/lite/lite-api.js";
import { getAccountState, getAccountStatePrunned } from "../../../shared/ton/proofs/make/accounts.js";
import { getBlockProof } from "../../../shared/ton/proofs/make/block-proof.js";
import {
  listBlockTransactions,
  listBlockTransactionsExt,
} from "../../../shared/ton/proofs/make/block-transactions.js";
import { getBlock, getState } from "../../../shared/ton/proofs/make/blocks.js";
import { getConfigAll, getConfigParams } from "../../../shared/ton/proofs/make/config.js";
import { getBlockHeader, lookupBlock } from "../../../shared/ton/proofs/make/headers.js";
import { getLibraries, getLibrariesWithProof } from "../../../shared/ton/proofs/make/libraries.js";
import { loadBlock } from "../../../shared/ton/proofs/make/load.js";
import { lookupBlockWithProof } from "../../../shared/ton/proofs/make/lookup-with-proof.js";
import { openBlock, openHeader, openState } from "../../../shared/ton/proofs/make/open-block.js";
import {
  getBlockOutMsgQueueSize,
  getDispatchQueueInfo,
  getDispatchQueueMessages,
  getOutMsgQueueSizes,
} from "../../../shared/ton/proofs/make/queues.js";
import type { ServedChain } from "../../../shared/ton/proofs/make/served-chain.js";
import { getShardBlockProof } from "../../../shared/ton/proofs/make/shard-links.js";
import { getAllShardsInfo, getShardInfo } from "../../../shared/ton/proofs/make/shards.js";
import { getOneTransaction, getTransactions } from "../../../shared/ton/proofs/make/transactions.js";
import { getValidatorStats } from "../../../shared/ton/proofs/make/validator-stats.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { systemTimers, type Timers } from "../../../shared/values/timers.js";
import { runCall } from "./run-call.js";
import { type MethodRunner, runSmcMethod } from "./run-method.js";

/** Version 1.1. Capabilities: block proof chains, masterchainInfoExt, runSmcMethod, masterchainInfoExt `mode.0`. */
const version = 0x101;
const capabilities = 15n;

/** Dependencies of `serveChain` in addition to the chain. */
export type ServeParts = {
  methods: MethodRunner;
  /** Accepts an external message, or rejects with the LiteError a liteserver would answer. */
  sendMessage(body: Uint8Array): Promise<void>;
  /** The server's clock: unix time in seconds. */
  now(): number;
  timers?: Timers;
};

/** A LiteApi that answers from a chain as a liteserver does, error texts included. */
export function serveChain(chain: ServedChain, parts: ServeParts): LiteApi {
  const { timers = systemTimers } = parts;

  /** Makes a method of a query on the chain. */
  function method<Q, A>(answer: (chain: ServedChain, request: Q) => Promise<A> | A) {
    return (request: Q, call: LiteCall = {}) =>
      runCall(chain, timers, call, async () => answer(chain, request));
  }

  const versionInfo = (): Version => ({ version, capabilities, now: parts.now() });

  return {
    getMasterchainInfo: method(masterchainInfo),
    getMasterchainInfoExt: method(async () => ({
      ...(await masterchainInfo(chain)),
      ...versionInfo(),
      lastUtime: await timeOf(chain, chain.last),
    })),
    getTime: method(() => ({ now: parts.now() })),
    getVersion: method(versionInfo),
    getBlock: method(getBlock),
    getState: method(getState),
    getBlockHeader: method(getBlockHeader),
    lookupBlock: method(lookupBlock),
    lookupBlockWithProof: method(lookupBlockWithProof),
    getAllShardsInfo: method(getAllShardsInfo),
    getShardInfo: method(getShardInfo),
    getShardBlockProof: method(getShardBlockProof),
    getAccountState: method(getAccountState),
    getAccountStatePrunned: method(getAccountStatePrunned),
    runSmcMethod: (request, call = {}) =>
      runCall(chain, timers, call, () => runSmcMethod(chain, parts.methods, request, call)),
    sendMessage: method(async (_chain, { body }: { body: Uint8Array }) => {
      await parts.sendMessage(body);
      return { status: 1 };
    }),
    getTransactions: method(getTransactions),
    getOneTransaction: method(getOneTransaction),
    listBlockTransactions: method(listBlockTransactions),
    listBlockTransactionsExt: method(listBlockTransactionsExt),
    getConfigAll: method(getConfigAll),
    getConfigParams: method(getConfigParams),
    getLibraries: method(getLibraries),
    getLibrariesWithProof: method(getLibrariesWithProof),
    getBlockProof: method(getBlockProof),
    getOutMsgQueueSizes: method(getOutMsgQueueSizes),
    getBlockOutMsgQueueSize: method(getBlockOutMsgQueueSize),
    getValidatorStats: method(getValidatorStats),
    getDispatchQueueInfo: method(getDispatchQueueInfo),
    getDispatchQueueMessages: method(getDispatchQueueMessages),
    getPendingShardBlocks: method(() => {
      throw new LiteError(liteErrorCode.unspecified, "query is not allowed");
    }),
  };
}

async function masterchainInfo(chain: ServedChain): Promise<MasterchainInfo> {
  const { last, zeroState } = chain;
  return { last, stateRootHash: await stateHashOf(chain, last), init: zeroState };
}

/** Without the state, its hash is read from the block. */
async function stateHashOf(chain: ServedChain, id: BlockIdExt): Promise<Uint8Array> {
  const state = await chain.state(id);
  if (state) return state.hash(0);
  return updateHashes(openBlock((await loadBlock(chain, id)).root).stateUpdate).to;
}

async function timeOf(chain: ServedChain, id: BlockIdExt): Promise<number> {
  const state = await chain.state(id);
  return state
    ? openState(state).genUtime
    : openHeader(openBlock((await loadBlock(chain, id)).root)).genUtime;
}
