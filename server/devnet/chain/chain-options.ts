import type { Timers } from "../../../shared/values/timers.js";
import type { Executor } from "../../chain/executor/executor.js";
import type { Staker } from "../elections/staker.js";
import type { ForkOrigin } from "../fork/origin.js";
import type { Genesis } from "../genesis/genesis.js";
import type { ChainClock } from "../moment/clock.js";
import type { ChainStorage } from "../storage/chain-storage.js";

export type DevnetChainOptions = {
  genesis: Genesis;
  /** Zero states of other executors, from which a stored chain may have started. */
  otherGenesis?: Iterable<Genesis>;
  storage: ChainStorage;
  executor: ChainExecutor;
  clock: ChainClock;
  nowMs: () => number;
  /** Contracts that stake for validators, once they are deployed. */
  stakers?: readonly Staker[];
  /** The network that the chain forks. */
  origin?: ForkOrigin | undefined;
  /** Default: the system's. */
  timers?: Timers | undefined;
};

/** Runs transactions; `ready`, if present, must be awaited before. */
export type ChainExecutor = Pick<Executor, "runTransaction" | "runTickTock"> & { ready?(): Promise<void> };
