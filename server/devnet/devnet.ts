import type { LiteApi } from "../../shared/ton/lite/lite-api.js";
import type { BlockIdExt } from "../../shared/ton/tlb/block-id.js";
import { Listeners } from "../../shared/values/listeners.js";
import type { ChainEvents, PendingMessages } from "../chain/chain-events.js";
import { emulatorSource } from "../chain/executor/emulator-source.js";
import { Executor } from "../chain/executor/executor.js";
import { shippedVersion } from "../chain/executor/patches/known-builds.js";
import { ExecutorPool } from "../chain/executor/pool.js";
import { newestVersion } from "../chain/executor/versions.js";
import { serveChain } from "../chain/serve/serve.js";
import type { Fallback } from "../observe/fallback.js";
import { KeptFiles } from "../os/kept-files.js";
import { randomSource } from "../os/random-bytes.js";
import { ChainClock, type ClockMode } from "./chain/clock.js";
import { DevnetChain } from "./chain/devnet-chain.js";
import { LazyExecutor } from "./chain/lazy-executor.js";
import { ChainControls, type DevnetControls } from "./control/controls.js";
import { ChainMessages, type MessageControls } from "./control/message-controls.js";
import { Miner, type MiningSetting } from "./control/miner.js";
import { ChainSetup, type Conditions, type SetupControls, type SetupView } from "./control/setup.js";
import { DevnetError } from "./devnet-error.js";
import { ChainElections, type ElectionControls } from "./elections/election-controls.js";
import type { ElectionPreset } from "./elections/presets.js";
import type { Staker } from "./elections/staker.js";
import { validatorFunds } from "./elections/validator-roles.js";
import { createForkGenesis } from "./fork/fork-genesis.js";
import { type ForkReads, forkReads } from "./fork/fork-reads.js";
import { forkedApi, provenForkApi } from "./fork/forked-api.js";
import { openOrigin } from "./fork/open-origin.js";
import { type OpenFork, openRefork } from "./fork/open-refork.js";
import type { ForkOptions, ForkOrigin, OriginLog } from "./fork/origin.js";
import type { Refork } from "./fork/refork.js";
import { soon } from "./fork/soon.js";
import { SwitchedOrigin } from "./fork/switched-origin.js";
import { createGenesis, type GenesisAccount, otherZeroStates, zeroStateTime } from "./genesis/genesis.js";
import { ChainStore } from "./storage/chain-store.js";
import { KeptNames } from "./storage/kept-names.js";
import { ServedDevnet } from "./storage/served-devnet.js";
import { type StateFeed, StoredStates } from "./storage/state-feed.js";
import { beginChain } from "./story/begin-chain.js";
import { ChainCache } from "./story/chain-cache.js";
import { storyContracts } from "./story/contracts.js";
import { participantsOf } from "./story/participants.js";
import { storyStakers } from "./story/stakers.js";
import { storyBlocks } from "./story/story.js";
import type { StoryBlock } from "./story/story-block.js";
import { type DevnetWallets, devnetWallets } from "./wallets/devnet-wallets.js";

/** Options of a devnet. Plain data, so that they can be sent to another thread. */
export type DevnetConfig = {
  seed: string;
  /** Directory of the stored chain. Without it the chain is kept in memory. */
  directory?: string | undefined;
  mining: MiningSetting;
  clock: ClockMode;
  /** Whether blocks create rewards for validators. */
  rewards: boolean;
  /** Whether a new chain is filled with sample transactions. */
  story: boolean;
  /** Number of validators. Default: 1, or 3 with elections. */
  validators?: number | undefined;
  /** Parameters of elections; without them the validators never change. */
  elections?: ElectionPreset | undefined;
  /** Cache folder for the first blocks of equal devnets. Without it they are made every time. */
  cache?: string | undefined;
  /** How calls fare at first. Default: without delay or failures. */
  conditions?: Conditions | undefined;
  /** Path of another WebAssembly build of the emulator. */
  tvmWasm?: string | undefined;
  /** The network that the chain begins with; without it the chain begins empty. */
  fork?: ForkOptions | undefined;
};

/** Cached chains: one per combination of settings. */
const maxKeptChains = 16;
/** Counters of an origin are shown with this delay, in milliseconds. */
const statusRestMs = 200;
const usualConditions: Conditions = { latencyMs: 0, failRate: 0 };

/** A running devnet, in this thread or another one. */
export interface Devnet {
  readonly api: LiteApi;
  readonly events: ChainEvents;
  readonly mempool: PendingMessages;
  readonly controls: DevnetControls;
  readonly elections: ElectionControls;
  readonly messages: MessageControls;
  readonly setup: SetupControls;
  readonly setupView: SetupView;
  readonly feed: StateFeed;
  readonly beginning: Beginning;
  /** The network that the chain forks. */
  readonly fork: ForkReads;
  /** The chain for clients that check proofs; the same as `api` unless the chain is a fork. */
  readonly provenApi: LiteApi;
  /** The reason why it no longer answers; undefined while it does. */
  unavailableReason(): string | undefined;
  /** The reason why it cannot make blocks at the moment; undefined if it can. */
  degradedReason(): string | undefined;
  close(): Promise<void>;
}

/** The first blocks of a new devnet, which equal devnets share. */
export interface Beginning {
  /** The last of the cached blocks it started with; undefined if it made its own. */
  kept(): Promise<BlockIdExt | undefined>;
  /** The last block it started with or has cached; undefined if it caches none. */
  cached(): Promise<BlockIdExt | undefined>;
  /** The newest block once the story has ended; immediately if there is no story. */
  end(): Promise<BlockIdExt>;
}

/** Dependencies provided by the caller. */
type DevnetEnvironment = {
  nowMs(): number;
  /** Identifies the code that makes blocks: cached blocks of other code are not used. Without it nothing is cached. */
  edition?: string | undefined;
  /** Called when a step fails. The step is retried. */
  onError(error: unknown): void;
  /** Called with failures that the devnet goes on without. Default: `onError`. */
  fallback?: Fallback;
  /** Log of a fork's origin. Default: none. */
  log?: OriginLog;
  /** Opens the network that is forked. */
  openOrigin?: typeof openOrigin;
  /** Called with a reason when the data folder is not writable, and with undefined once it is again. */
  onDegraded(reason: string | undefined): void;
};

/** Opens or creates a devnet in this thread. Resolves once there is a first block. */
export async function openDevnet(config: DevnetConfig, environment: DevnetEnvironment): Promise<Devnet> {
  const { nowMs, onDegraded, fallback = orError(environment) } = environment;
  const { tvmWasm: wasm } = config;
  // Loading the package's emulator takes 70 ms and may be unnecessary; another emulator is loaded now for its version.
  const source = wasm === undefined ? undefined : await emulatorSource(wasm);
  const executor = new LazyExecutor(() => (source ? Executor.of(source) : Executor.create()));
  let degradedReason: string | undefined;
  const wallets = await devnetWallets(config.seed);
  // The version of current networks, or the executor's if that is older.
  const version = Math.min(newestVersion, source?.version ?? shippedVersion);
  const zeroStates = { ...zeroStatesOf(config, wallets), version };
  const originChanges = new Listeners<OriginChange>();
  const open = originOf(config, environment, () => originChanges.notify("counted"));
  const origin = open && new SwitchedOrigin(await open({}));
  const onFailure = (failure: Error | undefined) => {
    degradedReason = failure?.message;
    onDegraded(degradedReason);
  };
  try {
    const genesis = origin ? await createForkGenesis(origin, zeroStates) : createGenesis(zeroStates);
    const store = new ChainStore(config.directory, undefined, onFailure, fallback);
    const clock = new ChainClock(config.clock, () => nowMs() / 1000);
    const storage = { genesis, otherGenesis: origin ? [] : otherZeroStates(zeroStates), storage: store };
    const stakers = stakersOf(config);
    const chain = await DevnetChain.open({ ...storage, executor, clock, nowMs, stakers, origin });
    try {
      if (config.fork?.time === "block") clock.set(chain.lastUtime + 1, chain.lastUtime);
      const forking = {
        folder: config.fork?.origin.folder,
        onSwitched: () => originChanges.notify("switched"),
        onFailure: (error: unknown) => fallback("fork-cache", error),
      };
      const refork = open && origin && (await openRefork({ chain, origin, open, ...forking }));
      const parts = { chain, store, wallets, origin, originChanges, refork };
      const devnet = await runDevnet(config, { ...environment, fallback }, parts);
      return { ...devnet, unavailableReason: () => undefined, degradedReason: () => degradedReason };
    } catch (error) {
      await chain.close();
      throw error;
    }
  } catch (error) {
    await origin?.close();
    throw error;
  }
}

function originOf(
  { fork }: DevnetConfig,
  environment: DevnetEnvironment,
  onStatus: () => void,
): OpenFork | undefined {
  const { fallback = orError(environment), log = silent, openOrigin: open = openOrigin } = environment;
  return (
    fork &&
    (({ start, block }) =>
      open(start ? { ...fork.origin, block } : fork.origin, {
        log,
        fallback,
        onStatus,
        ...(start && { start }),
      }))
  );
}

const silent: OriginLog = { info() {}, warn() {} };

/** The counters of the origin have changed, or it was exchanged. */
type OriginChange = "counted" | "switched";

type DevnetComponents = {
  chain: DevnetChain;
  store: ChainStore;
  wallets: DevnetWallets;
  origin: ForkOrigin | undefined;
  originChanges: Listeners<OriginChange>;
  refork: Refork | undefined;
};

async function runDevnet(
  config: DevnetConfig,
  { nowMs, onError, edition, fallback }: DevnetEnvironment & { fallback: Fallback },
  { chain, store, wallets, origin, originChanges, refork }: DevnetComponents,
): Promise<Omit<Devnet, "unavailableReason" | "degradedReason">> {
  const setup = new ChainSetup(config.conditions ?? usualConditions, await KeptNames.open(store));
  if (origin) {
    setup.follow(origin);
    const changed = () => setup.originChanged();
    const countedLater = soon(changed, statusRestMs);
    originChanges.add((change) => (change === "counted" ? countedLater() : changed()));
  }
  const target = {
    hasWork: () => chain.canWork,
    msUntilDue: () => msUntilDue(chain),
    // Ticks and tocks of idle blocks would bury other transactions; elections need them.
    step: () => chain.step({ noTicks: !chain.hasWork && chain.operator === undefined }),
    onError: unlessDegraded(onError),
  };
  const miner = new Miner(config.mining, target, nowMs);
  chain.msUntilStep = () => miner.msUntilBlock;
  chain.heads.add(() => miner.onBlock());
  chain.accepted.add(() => miner.wake());
  chain.fork?.imports.progress.add(() => miner.wake());
  const abort = new AbortController();
  const isNew = chain.head.seqno === 0;
  const beginning = {
    ...{ chain, storage: store, cache: chainCache(config, edition, fallback) },
    settings: { story: config.story, clock: config.clock, tvm: config.tvmWasm ?? "" },
    story: () => storyOf(config, wallets),
  };
  const started = isNew ? await beginChain(beginning, abort.signal) : undefined;
  const story = Promise.resolve(started?.end)
    .catch((error) => abort.signal.aborted || onError(error))
    .then(() => abort.signal.aborted || miner.start());
  const methods = new ExecutorPool({ threads: 1, wasm: config.tvmWasm });
  const served = serveChain(new ServedDevnet(store), {
    methods: {
      runMethod: (request, options) => methods.runMethod(request, options),
      randomBytes: randomSource(),
    },
    sendMessage: (body) => chain.sendMessage(body),
    now: () => Math.floor(nowMs() / 1000),
  });
  const api = origin ? forkedApi(served, origin) : served;
  return {
    api,
    provenApi: origin ? provenForkApi(api, origin) : api,
    fork: forkReads(origin),
    events: eventsOf(chain, store),
    mempool: mempoolOf(chain),
    controls: new ChainControls({
      ...{ chain, miner, wallets, faucetFree: story, refork },
      storyContracts: () =>
        storyContracts(participantsOf(config.seed, wallets), zeroStateTime, stakersOf(config)),
    }),
    elections: new ChainElections(chain, () => miner.wake()),
    messages: new ChainMessages(chain),
    setup,
    setupView: setup,
    feed: new StoredStates(store),
    beginning: {
      kept: async () => started?.kept,
      cached: async () => (abort.signal.aborted ? undefined : started?.cached),
      end: async () => {
        await story;
        return chain.head;
      },
    },
    async close() {
      abort.abort();
      miner.close();
      await chain.close();
      await story;
      await methods.close();
      await origin?.close();
    },
  };
}

function orError({ onError }: Pick<DevnetEnvironment, "onError">): Fallback {
  return (_reason, error) => onError(error);
}

/** A fixed clock does not advance by waiting. */
function msUntilDue({ electionDue, clock, lastUtime }: DevnetChain): number | undefined {
  if (electionDue === undefined) return undefined;
  const seconds = Math.max(0, electionDue - clock.next(lastUtime));
  return seconds > 0 && clock.mode === "fixed" ? undefined : seconds * 1000;
}

/** A degraded devnet was reported by `onDegraded`; do not report each retry as an error. */
function unlessDegraded(onError: (error: unknown) => void): (error: unknown) => void {
  return (error) =>
    error instanceof DevnetError && error.kind === "unavailable" ? undefined : onError(error);
}

function zeroStatesOf({ seed, rewards, elections, ...config }: DevnetConfig, wallets: DevnetWallets) {
  const validators = config.validators ?? (elections ? 3 : 1);
  const accounts = fundsOf(wallets, elections ? BigInt(validators) * validatorFunds : 0n);
  return { seed, accounts, rewards, validators, elections };
}

/** All wallets are deployed. The validators' funds are taken from the faucet. */
function fundsOf({ faucet, prefunded }: DevnetWallets, validatorsFunds: bigint): GenesisAccount[] {
  const paying = { ...faucet, balance: faucet.balance - validatorsFunds };
  return [paying, ...prefunded].map(({ wallet: { address, init }, balance }) => ({
    ...{ address, balance },
    init: { code: init.code!, data: init.data! },
  }));
}

function storyOf({ seed, story, elections }: DevnetConfig, wallets: DevnetWallets): StoryBlock[] {
  const holdsElections = elections !== undefined;
  return story ? storyBlocks({ seed, wallets, time: zeroStateTime, elections: holdsElections }) : [];
}

/** With elections, or on a fork, the first blocks depend on the time they are made, so they are not cached. */
function chainCache(
  { cache, elections, fork }: DevnetConfig,
  edition: string | undefined,
  fallback: Fallback,
): ChainCache | undefined {
  if (cache === undefined || edition === undefined || elections || fork) return undefined;
  const onFailure = (error: unknown) => fallback("kept-file", error);
  return new ChainCache(new KeptFiles(cache, maxKeptChains, onFailure), edition);
}

function stakersOf({ seed, elections }: DevnetConfig): Staker[] {
  return elections ? storyStakers(seed) : [];
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
