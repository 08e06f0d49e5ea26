import { newestVersion } from "../../shared/ton/run/versions.js";
import type { BlockIdExt } from "../../shared/ton/tlb/block-id.js";
import type { ChainEvents, PendingMessages } from "../chain/chain-events.js";
import { ExecutorThreads } from "../chain/executor/threads/executor-threads.js";
import { serveChain } from "../chain/serve/serve.js";
import type { Fallback } from "../observe/fallback.js";
import { Closers } from "../os/closers.js";
import { builtFiles, KeptFiles } from "../os/kept-files.js";
import { randomSource } from "../os/random-bytes.js";
import { DevnetChain } from "./chain/devnet-chain.js";
import { LazyExecutor } from "./chain/lazy-executor.js";
import { ChainControls } from "./control/controls.js";
import { ChainElections } from "./control/election-controls.js";
import { forkAccess, networkApi } from "./control/fork-access.js";
import { ForkedNetwork } from "./control/forked-network.js";
import { ChainMessages } from "./control/message-controls.js";
import { minerOf } from "./control/miner.js";
import { ChainSetup, type Conditions } from "./control/setup.js";
import type { Devnet, DevnetConfig } from "./devnet.js";
import { validatorFunds } from "./elections/validator-roles.js";
import { createForkGenesis } from "./fork/fork-genesis.js";
import type { OriginLog } from "./fork/origin.js";
import { createGenesis, otherZeroStates, zeroStateTime } from "./genesis/genesis.js";
import { ChainClock } from "./moment/clock.js";
import { ChainStore } from "./storage/chain-store.js";
import { KeptNames } from "./storage/kept-names.js";
import { ServedDevnet } from "./storage/served-devnet.js";
import { StoredStates } from "./storage/state-feed.js";
import { beginChain } from "./story/begin-chain.js";
import { ChainCache } from "./story/chain-cache.js";
import { storyOf } from "./story/story.js";
import { devnetWallets, walletAccounts } from "./wallets/devnet-wallets.js";

/** Cached chains: one per combination of settings. */
const maxKeptChains = 16;
const usualConditions: Conditions = { latencyMs: 0, failRate: 0 };
const silent: OriginLog = { info() {}, warn() {} };

/** Dependencies provided by the caller. */
type DevnetEnvironment = {
  nowMs(): number;
  /** Called when a step fails. The step is retried. */
  onError(error: unknown): void;
  /** Called with failures that the devnet goes on without. Default: `onError`. */
  fallback?: Fallback;
  /** Log of a fork's origin. Default: none. */
  log?: OriginLog;
  /** Called with a reason when the data folder is not writable, and with undefined once it is again. */
  onDegraded(reason: string | undefined): void;
};

/**
 * Opens or creates a devnet in this thread. Resolves once there is a first block. If it cannot be opened, rejects after all
 * that was opened is closed.
 */
export function openDevnet(config: DevnetConfig, environment: DevnetEnvironment): Promise<Devnet> {
  return Closers.opening((parts) => openParts(config, environment, parts));
}

async function openParts(
  config: DevnetConfig,
  environment: DevnetEnvironment,
  parts: Closers,
): Promise<Devnet> {
  const { nowMs, onError, onDegraded, log = silent } = environment;
  const { fallback = (_reason, error) => onError(error) } = environment;
  const { seed, elections, validators = elections ? 3 : 1, rewards, fork } = config;
  const [loaded, wallets] = await Promise.all([LazyExecutor.open(config.tvmWasm), devnetWallets(seed)]);
  const { executor } = loaded;
  const story = storyOf({ seed, wallets, time: zeroStateTime, elections: elections !== undefined });
  const network = fork && (await ForkedNetwork.open(fork, { fallback, log }));
  if (network) parts.add(network, (each) => each.close());
  const zeroStates = {
    ...{ seed, rewards, validators, elections },
    // The validators' funds are taken from the faucet.
    accounts: walletAccounts(wallets, elections ? BigInt(validators) * validatorFunds : 0n),
    // The version of current networks, or the executor's if that is older.
    version: Math.min(newestVersion, loaded.version),
  };
  const genesis = network ? await createForkGenesis(network.origin, zeroStates) : createGenesis(zeroStates);
  let degradedReason: string | undefined;
  const onFailure = (failure: Error | undefined) => {
    degradedReason = failure?.message;
    onDegraded(degradedReason);
  };
  const store = new ChainStore(config.directory, undefined, onFailure, fallback);
  const opened = await DevnetChain.open({
    ...{ genesis, otherGenesis: network ? [] : otherZeroStates(zeroStates), storage: store },
    ...{ executor, nowMs, stakers: story.stakers, origin: network?.origin },
    clock: new ChainClock(config.clock, () => nowMs() / 1000),
  });
  const chain = parts.add(opened, (each) => each.close());
  const refork = await network?.join(chain);
  const setup = new ChainSetup(config.conditions ?? usualConditions, await KeptNames.open(store), network);
  const miner = minerOf(chain, config.mining, { nowMs, onError });
  const stop = new AbortController();
  const beginning = {
    ...{ chain, storage: store, cache: chainCache(config, fallback) },
    settings: { story: config.story, clock: config.clock, tvm: config.tvmWasm ?? "" },
    story: () => (config.story ? story.blocks() : []),
  };
  const begun = await beginChain(beginning, stop.signal);
  const storyEnd = begun.end
    .catch((error) => stop.signal.aborted || onError(error))
    .then(() => miner.start());
  parts.add(storyEnd, async (end) => {
    stop.abort();
    miner.close();
    await end;
  });
  const methods = parts.add(new ExecutorThreads({ threads: 1, wasm: config.tvmWasm }), (each) =>
    each.close(),
  );
  const served = serveChain(new ServedDevnet(store), {
    methods: {
      runMethod: (request, options) => methods.runMethod(request, options),
      randomBytes: randomSource(),
    },
    sendMessage: (body) => chain.sendMessage(body),
    now: () => Math.floor(nowMs() / 1000),
  });
  return {
    ...(network?.serve(served) ?? { api: served, provenApi: served }),
    fork: forkAccess(network?.origin, chain),
    networkApi: networkApi(network?.origin),
    events: eventsOf(chain, store),
    mempool: mempoolOf(chain),
    controls: new ChainControls({
      ...{ chain, miner, wallets, faucetFree: storyEnd, refork, storyContracts: story.contracts },
    }),
    elections: new ChainElections(chain, () => miner.wake()),
    messages: new ChainMessages(chain),
    setup,
    setupView: setup,
    feed: new StoredStates(store),
    beginning: {
      kept: async () => begun.kept,
      cached: async () => (stop.signal.aborted ? undefined : begun.cached),
      end: async (): Promise<BlockIdExt> => {
        await storyEnd;
        return chain.head;
      },
    },
    unavailableReason: () => undefined,
    degradedReason: () => degradedReason,
    close: () => parts.close(),
  };
}

/** With elections, or on a fork, the first blocks depend on the time they are made, so they are not cached. */
function chainCache({ cache, elections, fork }: DevnetConfig, fallback: Fallback): ChainCache | undefined {
  if (!cache || elections || fork) return undefined;
  const onFailure = (error: unknown) => fallback("kept-file", error);
  const files = new KeptFiles(cache.folder, maxKeptChains, onFailure, builtFiles(onFailure));
  return new ChainCache(files, cache.edition);
}

function eventsOf(chain: DevnetChain, store: ChainStore): ChainEvents {
  return {
    onHead: (listener) => chain.heads.add(listener),
    onReverted: (listener) => chain.reverts.add(listener),
    async edited(mcSeqno) {
      const accounts = store.index.get(mcSeqno)?.edited ?? [];
      return accounts.map(({ workchain, hash }) => ({ workchain, id: hash }));
    },
  };
}

function mempoolOf(chain: DevnetChain): PendingMessages {
  return {
    pending: async () => chain.mempool.messages().map(({ boc }) => boc),
    onAccepted: (listener) =>
      chain.accepted.add(({ boc, ignoresSignatures }) => listener(boc, ignoresSignatures)),
    onDropped: (listener) => chain.dropped.add(listener),
  };
}
