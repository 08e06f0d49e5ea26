import type { Config } from "../config/settings.js";
import { startDevnet } from "../devnet/thread/devnet-thread.js";

type OnError = (error: Error) => void;

/** Whether the process has a devnet of its own: not the one of another process. */
export function hasOwnDevnet({ network, globalConfig }: Config): boolean {
  return network === "devnet" && globalConfig === undefined;
}

/** The devnet of this process, which can begin to start while the rest of the program is loaded. */
export class OwnDevnet {
  readonly #started: ReturnType<typeof startDevnet>;
  /** Errors from before anybody listens. */
  readonly #early: Error[] = [];
  #onError: OnError = (error) => void this.#early.push(error);

  /** `cache`: the folder in which it may keep what later starts can use. */
  constructor(config: Config, cache: string | undefined) {
    this.#started = startDevnet(devnetConfig(config, cache), (error) => this.#onError(error));
    // Whoever calls `started` is told.
    this.#started.catch(() => {});
  }

  started(onError: OnError): ReturnType<typeof startDevnet> {
    this.#onError = onError;
    for (const error of this.#early.splice(0)) onError(error);
    return this.#started;
  }

  async close(): Promise<void> {
    const devnet = await this.#started.catch(() => undefined);
    await devnet?.close();
  }
}

function devnetConfig(config: Config, cache: string | undefined) {
  const { devnetSeed: seed, data: directory, mining: mode, miningIntervalMs: intervalMs } = config;
  const { clock, devnetRewards: rewards, devnetValidators: validators, story, tvmLibrary, tvmWasm } = config;
  const elections = config.devnetElections === "off" ? undefined : config.devnetElections;
  const mining = { mode, intervalMs };
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
    tvmLibrary,
    tvmWasm,
  };
}
