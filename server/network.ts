import type { FlatDefinitions } from "../shared/methods/define.js";
import { devnetMethods } from "../shared/methods/devnet.js";
import type { Registry } from "../shared/methods/registry.js";
import { accountMethods } from "../shared/methods/v2/accounts.js";
import { blockMethods } from "../shared/methods/v2/blocks.js";
import { configMethods } from "../shared/methods/v2/config.js";
import { transactionMethods } from "../shared/methods/v2/transactions.js";
import { utilMethods } from "../shared/methods/v2/utils.js";
import { Address } from "../shared/values/address.js";
import type { Devnet } from "./chain/devnet/devnet.js";
import { startDevnet } from "./chain/devnet/thread/devnet-thread.js";
import { ChainHead } from "./chain/head.js";
import { ChainReader } from "./chain/reader.js";
import type { Config } from "./config.js";
import { devnetHandlers } from "./devnet/methods.js";
import { ServiceError } from "./errors.js";
import type { Log } from "./log.js";
import type { Parts } from "./parts.js";
import { type AllImplementations, type Implementations, implement } from "./rpc/bind.js";
import { type Head, noHead } from "./rpc/cache.js";
import { accountHandlers } from "./v2/accounts.js";
import { blockHandlers } from "./v2/blocks.js";
import { configHandlers } from "./v2/config.js";
import { transactionHandlers } from "./v2/transactions.js";
import { utilHandlers } from "./v2/utils.js";

/** What answers the methods of the network that is served, and where that network stands. */
export type Network = {
  implementations: Omit<AllImplementations<Registry>, "rpc">;
  head: Head;
  /** Calls back when the chain went back, so that answers about its blocks may be wrong. */
  onReverted(listener: () => void): void;
  /** Friendly address of the devnet's faucet. */
  faucet?: string;
};

type Frame = { config: Config; parts: Parts; log: Log; now: () => number };

/** Brings up the chain and everything that reads it. */
export async function openNetwork(frame: Frame): Promise<Network> {
  return frame.config.network === "devnet" ? openOnDevnet(frame) : withoutLiteservers();
}

async function openOnDevnet({ config, parts, log, now }: Frame): Promise<Network> {
  const onError = (error: Error) => log.error({ err: error }, "the devnet failed");
  const devnet = parts.add(await startDevnet(devnetConfig(config), onError), (each) => each.close());
  const head = await followHead(devnet, now);
  const reader = new ChainReader({ lite: devnet.api, head });
  devnet.events.onReverted(() => reader.forget());
  return {
    implementations: {
      ...implement(utilMethods, utilHandlers, undefined),
      ...implement(accountMethods, accountHandlers, { reader }),
      ...implement(blockMethods, blockHandlers, { reader }),
      ...implement(transactionMethods, transactionHandlers, { reader }),
      ...implement(configMethods, configHandlers, { reader }),
      devnet: implement(devnetMethods, devnetHandlers, devnet),
    },
    head,
    onReverted: (listener) => void devnet.events.onReverted(listener),
    faucet: await faucetOf(devnet),
  };
}

async function faucetOf({ controls }: Devnet): Promise<string> {
  const { workchain, id } = (await controls.info()).faucet.account;
  return new Address(workchain, id).toFriendly({ bounceable: false });
}

function devnetConfig(config: Config) {
  const { devnetSeed: seed, data: directory, mining: mode, miningIntervalMs: intervalMs } = config;
  const { clock, devnetRewards: rewards, story } = config;
  return { seed, directory, mining: { mode, intervalMs }, clock, rewards, story };
}

async function followHead({ api, events }: Devnet, now: () => number): Promise<ChainHead> {
  const head = new ChainHead(await api.getMasterchainInfo(), now);
  events.onHead((last) => head.move(last));
  // A block may have come between the first answer and the subscription.
  head.move((await api.getMasterchainInfo()).last);
  return head;
}

/** Networks that are read through liteservers, of which there are none. */
function withoutLiteservers(): Network {
  return {
    implementations: {
      ...implement(utilMethods, utilHandlers, undefined),
      ...unavailable(accountMethods),
      ...unavailable(blockMethods),
      ...unavailable(transactionMethods),
      ...unavailable(configMethods),
    },
    head: noHead,
    onReverted: () => {},
  };
}

function unavailable<Group extends FlatDefinitions>(definitions: Group): Implementations<Group> {
  const refuse = () => Promise.reject(new ServiceError("unavailable"));
  // Every method of the group refuses, which no result type stands against.
  return Object.fromEntries(
    Object.keys(definitions).map((name) => [name, refuse]),
  ) as unknown as Implementations<Group>;
}
