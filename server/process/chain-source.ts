import { randomBytes } from "node:crypto";
import type { ChainEvents } from "../chain/chain-events.js";
import type { LiteApi } from "../chain/lite-api.js";
import { ChainHead } from "../chain/read/head.js";
import { RemoteDevnet } from "../chain/remote-devnet.js";
import { systemTimers } from "../chain/timers.js";
import type { Config } from "../config/settings.js";
import type { Devnet } from "../devnet/devnet.js";
import { startDevnet } from "../devnet/thread/devnet-thread.js";
import type { Log } from "../observe/log.js";
import type { Parts } from "./closers.js";
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
  absence(): string | undefined;
  /** Why the chain stands, or cannot be reached at the moment. */
  ailment(): string | undefined;
  /** How the liteservers do that the chain is read from. */
  liteservers?: Pick<Liteservers, "status">;
};

type Frame = { config: Config; parts: Parts; log: Log; now: () => number };

const startMs = 10_000;

/** A devnet, here or in the process that a global configuration leads to; else the liteservers of the network. */
export async function openSource(frame: Frame): Promise<ChainSource> {
  const { network, globalConfig } = frame.config;
  if (network !== "devnet") return ofLiteservers(await openLiteservers(frame));
  return globalConfig === undefined ? startOwnDevnet(frame) : reachDevnet(frame);
}

function ofLiteservers(liteservers: Liteservers): ChainSource {
  const { api, head } = liteservers;
  return {
    api,
    head,
    liteservers,
    absence: () => liteservers.absence(),
    ailment: () => liteservers.ailment(),
  };
}

async function startOwnDevnet({ config, parts, log, now }: Frame): Promise<ChainSource> {
  const onError = (error: Error) => log.error({ err: error }, "the devnet failed");
  const devnet = parts.add(await startDevnet(devnetConfig(config), onError), (each) => each.close());
  const { api, events } = devnet;
  const head = new ChainHead(await api.getMasterchainInfo(), now);
  events.onHead((last) => head.move(last));
  // A block may have come between the first answer and the subscription.
  head.move((await api.getMasterchainInfo()).last);
  return { api, head, events, devnet, absence: () => devnet.absence(), ailment: () => devnet.ailment() };
}

function devnetConfig(config: Config) {
  const { devnetSeed: seed, data: directory, mining: mode, miningIntervalMs: intervalMs } = config;
  const { clock, devnetRewards: rewards, story } = config;
  return { seed, directory, mining: { mode, intervalMs }, clock, rewards, story };
}

async function reachDevnet({ config, parts, log, now }: Frame): Promise<ChainSource> {
  const { servers, zeroState } = await readGlobalConfig(config);
  const [address] = servers;
  const options = { address: address!, zeroState, timers: systemTimers, random: Math.random, randomBytes };
  const devnet = parts.add(new RemoteDevnet(options), (each) => each.close());
  const head = new ChainHead({ last: zeroState, init: zeroState }, now);
  devnet.events.onHead((last) => head.move(last));
  if (!(await devnet.ready(startMs))) log.warn({ reason: devnet.absence() }, "there is no devnet yet");
  return {
    api: devnet.api,
    head,
    events: devnet.events,
    absence: () => devnet.absence(),
    ailment: () => undefined,
  };
}
