import type { LiteApi } from "../../shared/ton/lite/lite-api.js";
import type { BlockIdExt } from "../../shared/ton/tlb/block-id.js";
import type { ChainEvents, PendingMessages } from "../chain/chain-events.js";
import type { StartCache } from "../os/kept-files.js";
import type { DevnetControls } from "./control/controls.js";
import type { ElectionControls } from "./control/election-controls.js";
import type { ForkAccess } from "./control/fork-access.js";
import type { MessageControls } from "./control/message-controls.js";
import type { MiningSetting } from "./control/miner.js";
import type { Conditions, SetupControls, SetupView } from "./control/setup.js";
import type { ElectionPreset } from "./elections/presets.js";
import type { ForkOptions } from "./fork/origin.js";
import type { ClockMode } from "./moment/clock.js";
import type { StateFeed } from "./storage/state-feed.js";

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
  /** Cache for the first blocks of equal devnets. Without it they are made every time. */
  cache?: StartCache | undefined;
  /** How calls fare at first. Default: without delay or failures. */
  conditions?: Conditions | undefined;
  /** Path of another WebAssembly build of the emulator. */
  tvmWasm?: string | undefined;
  /** The network that the chain begins with; without it the chain begins empty. */
  fork?: ForkOptions | undefined;
};

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
  readonly fork: ForkAccess;
  /** The liteservers of that network. */
  readonly networkApi: LiteApi;
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
