import { availableParallelism } from "node:os";
import { devnetMethods } from "../shared/methods/devnet.js";
import type { Registry } from "../shared/methods/registry.js";
import { accountMethods } from "../shared/methods/v2/accounts.js";
import { blockMethods } from "../shared/methods/v2/blocks.js";
import { configMethods } from "../shared/methods/v2/config.js";
import { dnsMethods } from "../shared/methods/v2/dns.js";
import { feeMethods } from "../shared/methods/v2/fees.js";
import { runMethodMethods } from "../shared/methods/v2/run-method.js";
import { sendMethods } from "../shared/methods/v2/send.js";
import { tokenMethods } from "../shared/methods/v2/tokens.js";
import { transactionMethods } from "../shared/methods/v2/transactions.js";
import { utilMethods } from "../shared/methods/v2/utils.js";
import { utilMethods as v3UtilMethods } from "../shared/methods/v3/utils.js";
import { Address } from "../shared/values/address.js";
import { CodeLibraries } from "./chain/code-libraries.js";
import type { PendingMessages } from "./chain/devnet/chain-events.js";
import type { Devnet } from "./chain/devnet/devnet.js";
import { startDevnet } from "./chain/devnet/thread/devnet-thread.js";
import { ExecutorPool } from "./chain/executor/pool.js";
import { FeeEstimator } from "./chain/fee-estimate.js";
import { ChainHead } from "./chain/head.js";
import type { LiteApi } from "./chain/lite-api.js";
import { MethodRunner } from "./chain/method-runner.js";
import { ChainReader } from "./chain/reader.js";
import { TraceEmulator } from "./chain/trace-emulator.js";
import type { Config } from "./config.js";
import { devnetHandlers } from "./devnet/methods.js";
import { ServiceError } from "./errors.js";
import { PendingTraces } from "./indexer/pending.js";
import { createIndexing, type Indexing, noIndexing } from "./indexing.js";
import { openLiteserver } from "./liteserver.js";
import { type Liteservers, openLiteservers } from "./liteservers.js";
import type { Log } from "./log.js";
import type { Parts } from "./parts.js";
import { type AllImplementations, implement } from "./rpc/bind.js";
import type { Head } from "./rpc/cache.js";
import { accountHandlers } from "./v2/accounts.js";
import { blockHandlers } from "./v2/blocks.js";
import { configHandlers } from "./v2/config.js";
import { dnsHandlers } from "./v2/dns.js";
import { feeHandlers } from "./v2/fees.js";
import { runMethodHandlers } from "./v2/run-method.js";
import { sendHandlers } from "./v2/send.js";
import { tokenHandlers } from "./v2/tokens.js";
import { transactionHandlers } from "./v2/transactions.js";
import { utilHandlers } from "./v2/utils.js";
import { utilHandlers as v3UtilHandlers } from "./v3/utils.js";
import { v3Implementations } from "./v3-methods.js";

/** What answers the methods of the network that is served, and where that network stands. */
export type Network = {
  implementations: Omit<AllImplementations<Registry>, "rpc">;
  head: Head;
  indexing: Indexing;
  /** Calls back when the chain went back, so that answers about its blocks may be wrong. */
  onReverted(listener: () => void): void;
  /** Friendly address of the devnet's faucet. */
  faucet?: string;
  /** Address and key of the liteserver that other programs can have the chain from. */
  liteserver?: string | undefined;
  /** Why nothing can be read, while that is so. */
  absence(): string | undefined;
  /** How the liteservers do that the chain is read from. */
  liteservers?: Pick<Liteservers, "status">;
};

type Frame = { config: Config; parts: Parts; log: Log; now: () => number };

/** Brings up the chain and everything that reads it. */
export async function openNetwork(frame: Frame): Promise<Network> {
  return frame.config.network === "devnet" ? openOnDevnet(frame) : openOnLiteservers(frame);
}

async function openOnDevnet(frame: Frame): Promise<Network> {
  const { config, parts, log, now } = frame;
  const onError = (error: Error) => log.error({ err: error }, "the devnet failed");
  const devnet = parts.add(await startDevnet(devnetConfig(config), onError), (each) => each.close());
  const head = await followHead(devnet, now);
  const reader = new ChainReader({ lite: devnet.api, head });
  devnet.events.onReverted(() => reader.forget());
  const contracts = await openContracts(reader, parts);
  const indexing = config.index ? createIndexing({ config, parts, log, now }, devnet) : noIndexing;
  const { zeroState } = head;
  return {
    implementations: {
      ...implement(utilMethods, utilHandlers, undefined),
      ...chainMethods({
        lite: devnet.api,
        reader,
        ...contracts,
        mempool: devnet.mempool,
        indexing,
        testOnly: false,
      }),
      devnet: implement(devnetMethods, devnetHandlers, devnet),
    },
    head,
    indexing,
    onReverted: (listener) => void devnet.events.onReverted(listener),
    absence: () => devnet.absence(),
    faucet: await faucetOf(devnet),
    liteserver: await openLiteserver(frame, { api: devnet.api, zeroState }),
  };
}

/** Mainnet and testnet, of which there is no index. */
async function openOnLiteservers(frame: Frame): Promise<Network> {
  const { config, parts } = frame;
  const liteservers = await openLiteservers(frame);
  const { api, head } = liteservers;
  const reader = new ChainReader({ lite: api, head });
  const contracts = await openContracts(reader, parts);
  const testOnly = config.network === "testnet";
  const { v3, ...methods } = chainMethods({
    lite: api,
    reader,
    ...contracts,
    mempool: noMempool,
    indexing: noIndexing,
    testOnly,
  });
  const { zeroState } = head;
  return {
    implementations: {
      ...whenPresent(methods, liteservers),
      ...implement(utilMethods, utilHandlers, undefined),
      v3: { ...whenPresent(v3, liteservers), ...implement(v3UtilMethods, v3UtilHandlers, undefined) },
    },
    head,
    indexing: noIndexing,
    onReverted: () => {},
    absence: () => liteservers.absence(),
    liteserver: await openLiteserver(frame, { api, zeroState }),
    liteservers,
  };
}

/** Liteservers do not show what waits there. */
const noMempool: Pick<PendingMessages, "pending"> = { pending: async () => [] };

type ChainDeps = {
  lite: LiteApi;
  reader: ChainReader;
  runner: MethodRunner;
  estimator: FeeEstimator;
  emulator: TraceEmulator;
  mempool: Pick<PendingMessages, "pending">;
  indexing: Indexing;
  /** Whether addresses are written for a test network. */
  testOnly: boolean;
};

/** The methods that read a chain or send to it. */
function chainMethods(deps: ChainDeps) {
  const { lite, reader, runner, estimator, indexing, testOnly } = deps;
  return {
    ...implement(accountMethods, accountHandlers, { reader, runner }),
    ...implement(blockMethods, blockHandlers, { reader }),
    ...implement(transactionMethods, transactionHandlers, { reader }),
    ...implement(configMethods, configHandlers, { reader }),
    ...implement(runMethodMethods, runMethodHandlers, { reader, runner }),
    ...implement(tokenMethods, tokenHandlers, { reader, runner }),
    ...implement(dnsMethods, dnsHandlers, { reader, runner }),
    ...implement(feeMethods, feeHandlers, { reader, estimator }),
    ...implement(sendMethods, sendHandlers, { reader, lite }),
    v3: v3Implementations({
      index: indexing.reader,
      isIndexLate: () => indexing.isLate(),
      pending: new PendingTraces(deps),
      book: { testOnly },
      reader,
      runner,
      estimator,
      lite,
    }),
  };
}

/** The same methods, refused as long as there is nothing to read from. */
function whenPresent<Methods extends object>(
  methods: Methods,
  { absence }: Pick<Liteservers, "absence">,
): Methods {
  const guarded = Object.entries(methods as Record<string, (...args: unknown[]) => unknown>).map(
    ([name, handle]) => [
      name,
      (...args: unknown[]) => {
        const reason = absence();
        if (reason !== undefined) throw new ServiceError("unavailable", reason);
        return handle(...args);
      },
    ],
  );
  // The same names with functions of the same types, which the compiler cannot see through the entries.
  return Object.fromEntries(guarded) as Methods;
}

/** What runs contracts beside the chain: get-methods, and messages to see what they would cost. */
async function openContracts(reader: ChainReader, parts: Parts) {
  // Two threads at least, so that one long run does not hold up all the others.
  const threads = Math.max(2, availableParallelism() - 1);
  const pool = parts.add(await ExecutorPool.start({ threads }), (each) => each.close());
  const shared = { reader, pool, libraries: new CodeLibraries(reader) };
  return {
    runner: new MethodRunner(shared),
    estimator: new FeeEstimator(shared),
    emulator: new TraceEmulator(shared),
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
