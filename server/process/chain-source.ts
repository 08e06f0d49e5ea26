import { randomBytes } from "node:crypto";
import type { ChainEvents } from "../chain/chain-events.js";
import type { LiteApi } from "../chain/lite-api.js";
import { ChainHead } from "../chain/read/head.js";
import { RemoteDevnet } from "../chain/remote-devnet.js";
import { systemTimers } from "../chain/timers.js";
import type { Config } from "../config/settings.js";
import type { Devnet } from "../devnet/devnet.js";
import { startDevnet } from "../devnet/thread/devnet-thread.js";
import type { Context } from "./context.js";
import { type Liteservers, openLiteservers, readGlobalConfig } from "./liteserver-pool.js";

/** The chain that is served or indexed, wherever it is. */
export type ChainSource = {
  api: LiteApi;
  head: ChainHead;
  /** A devnet tells what other networks do not have: that it went back. */
  events?: ChainEvents;
  /** The devnet of this process, for whoever does more than read it. */
  devnet?: Devnet;
  /** Why nothing can be read, while that is so. */
  unavailableReason(): string | undefined;
  /** Why the chain stands, or cannot be reached at the moment. */
  degradedReason(): string | undefined;
  /** How the liteservers do that the chain is read from. */
  liteservers?: Pick<Liteservers, "status">;
};

const startMs = 10_000;

/** A devnet, here or in the process that a global configuration leads to; else the liteservers of the network. */
export async function openSource(context: Context): Promise<ChainSource> {
  const { network, globalConfig } = context.config;
  if (network !== "devnet") return ofLiteservers(await openLiteservers(context));
  return globalConfig === undefined ? startOwnDevnet(context) : reachDevnet(context);
}

function ofLiteservers(liteservers: Liteservers): ChainSource {
  const { api, head } = liteservers;
  return {
    api,
    head,
    liteservers,
    unavailableReason: () => liteservers.unavailableReason(),
    degradedReason: () => liteservers.degradedReason(),
  };
}

async function startOwnDevnet({ config, closers, log, now }: Context): Promise<ChainSource> {
  const onError = (error: Error) => log.error({ err: error }, "the devnet failed");
  const devnet = closers.add(await startDevnet(devnetConfig(config), onError), (each) => each.close());
  const { api, events } = devnet;
  const head = new ChainHead(await api.getMasterchainInfo(), now);
  events.onHead((last) => head.move(last));
  // A block may have come between the first answer and the subscription.
  head.move((await api.getMasterchainInfo()).last);
  return {
    api,
    head,
    events,
    devnet,
    unavailableReason: () => devnet.unavailableReason(),
    degradedReason: () => devnet.degradedReason(),
  };
}

function devnetConfig(config: Config) {
  const { devnetSeed: seed, data: directory, mining: mode, miningIntervalMs: intervalMs } = config;
  const { clock, devnetRewards: rewards, story } = config;
  return { seed, directory, mining: { mode, intervalMs }, clock, rewards, story };
}

async function reachDevnet({ config, closers, log, now }: Context): Promise<ChainSource> {
  const { servers, zeroState } = await readGlobalConfig(config);
  const [address] = servers;
  const options = { address: address!, zeroState, timers: systemTimers, random: Math.random, randomBytes };
  const devnet = closers.add(new RemoteDevnet(options), (each) => each.close());
  const head = new ChainHead({ last: zeroState, init: zeroState }, now);
  devnet.events.onHead((last) => head.move(last));
  if (!(await devnet.ready(startMs)))
    log.warn({ reason: devnet.unavailableReason() }, "there is no devnet yet");
  return {
    api: devnet.api,
    head,
    events: devnet.events,
    unavailableReason: () => devnet.unavailableReason(),
    degradedReason: () => undefined,
  };
}
