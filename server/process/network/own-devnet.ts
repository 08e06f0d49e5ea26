import { handledLater } from "../../../shared/values/promises.js";
import type { Config } from "../../config/settings.js";
import type { DevnetConfig } from "../../devnet/devnet.js";
import type { DevnetReports } from "../../devnet/thread/devnet-news.js";
import { DevnetThread } from "../../devnet/thread/devnet-thread.js";
import type { StartCache } from "../../os/kept-files.js";
import { forkOptionsOf } from "../context/fork-options.js";
import type { BegunDevnet } from "../environment.js";

/** Whether the process runs its own devnet rather than reading one of another process. */
export function hasOwnDevnet({ network, globalConfig }: Config): boolean {
  return network === "devnet" && globalConfig === undefined;
}

/** The devnet of this process, which can begin to start while the rest of the program is loaded. */
export class OwnDevnet implements BegunDevnet {
  readonly #started: Promise<DevnetThread>;
  /** Reports before `started` is called. */
  readonly #early: ((listener: DevnetReports) => void)[] = [];
  #listener: DevnetReports = {
    onError: (error) => void this.#early.push((listener) => listener.onError(error)),
    fallback: (...failure) => void this.#early.push((listener) => listener.fallback(...failure)),
    onLog: (line) => void this.#early.push((listener) => listener.onLog?.(line)),
  };

  /** `cache`: where it may keep what later starts can use. */
  constructor(config: Config, cache: StartCache | undefined) {
    this.#started = DevnetThread.start(devnetConfig(config, cache), {
      onError: (error) => this.#listener.onError(error),
      fallback: (...failure) => this.#listener.fallback(...failure),
      onLog: (line) => this.#listener.onLog?.(line),
    });
    handledLater(this.#started);
  }

  started(listener: DevnetReports): Promise<DevnetThread> {
    this.#listener = listener;
    for (const report of this.#early.splice(0)) report(listener);
    return this.#started;
  }

  async close(): Promise<void> {
    // A devnet that did not start has nothing to close.
    const devnet = await this.#started.catch(() => undefined);
    await devnet?.close();
  }
}

function devnetConfig(config: Config, cache: StartCache | undefined): DevnetConfig {
  const fork = forkOptionsOf(config);
  const { devnetSeed: seed, data: directory, mining: mode, miningIntervalMs: intervalMs } = config;
  const { clock, devnetRewards: rewards, devnetValidators: validators, tvmWasm } = config;
  // The sample data are made for the devnet's own zero state.
  const story = config.story && !fork;
  const elections = config.devnetElections === "off" ? undefined : config.devnetElections;
  const mining = { mode, intervalMs };
  const conditions = { latencyMs: config.latency, failRate: config.failRate };
  return {
    seed,
    directory,
    mining,
    clock,
    rewards,
    story,
    validators,
    elections,
    cache,
    conditions,
    tvmWasm,
    fork,
  };
}
