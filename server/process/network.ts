import type { FlatDefinitions } from "../../shared/methods/define.js";
import { devnetMethods } from "../../shared/methods/devnet.js";
import type { Registry } from "../../shared/methods/registry.js";
import { accountMethods } from "../../shared/methods/v2/accounts.js";
import { blockMethods } from "../../shared/methods/v2/blocks.js";
import { configMethods } from "../../shared/methods/v2/config.js";
import { dnsMethods } from "../../shared/methods/v2/dns.js";
import { feeMethods } from "../../shared/methods/v2/fees.js";
import { runMethodMethods } from "../../shared/methods/v2/run-method.js";
import { sendMethods } from "../../shared/methods/v2/send.js";
import { tokenMethods } from "../../shared/methods/v2/tokens.js";
import { transactionMethods } from "../../shared/methods/v2/transactions.js";
import { utilMethods } from "../../shared/methods/v2/utils.js";
import { Address } from "../../shared/values/address.js";
import type { PendingMessages } from "../chain/chain-events.js";
import { ExecutorPool } from "../chain/executor/pool.js";
import type { LiteApi } from "../chain/lite-api.js";
import { ChainReader } from "../chain/read/reader.js";
import { CodeLibraries } from "../chain/run/code-libraries.js";
import { FeeEstimator } from "../chain/run/fee-estimate.js";
import { MethodRunner } from "../chain/run/method-runner.js";
import { TraceEmulator } from "../chain/run/trace-emulator.js";
import { keepAccepted, SentMessages } from "../chain/sent-messages.js";
import type { Config } from "../config/settings.js";
import type { Devnet } from "../devnet/devnet.js";
import { ServiceError } from "../errors.js";
import { PendingTraces } from "../indexer/pending.js";
import { devnetHandlers } from "../methods/devnet/methods.js";
import { accountHandlers } from "../methods/v2/accounts.js";
import { blockHandlers } from "../methods/v2/blocks.js";
import { configHandlers } from "../methods/v2/config.js";
import { dnsHandlers } from "../methods/v2/dns.js";
import { feeHandlers } from "../methods/v2/fees.js";
import { runMethodHandlers } from "../methods/v2/run-method.js";
import { sendHandlers } from "../methods/v2/send.js";
import { tokenHandlers } from "../methods/v2/tokens.js";
import { transactionHandlers } from "../methods/v2/transactions.js";
import { utilHandlers } from "../methods/v2/utils.js";
import type { PendingDeps } from "../methods/v3/pending.js";
import { v3Implementations } from "../methods/v3.js";
import { type AllImplementations, type Implementations, implement } from "../rpc/bind.js";
import type { Head } from "../rpc/cache.js";
import { type ChainSource, openSource } from "./chain-source.js";
import type { Context } from "./context.js";
import { claimIndex, createIndexPart, type IndexMode, type IndexPart, noIndexPart } from "./index-part.js";
import { openLiteserverEndpoint } from "./liteserver-endpoint.js";
import type { LiteserverPool } from "./liteserver-pool.js";

/** What answers the methods of the network that is served, and where that network stands. */
export type Network = {
  implementations: Omit<AllImplementations<Registry>, "rpc">;
  head: Head;
  indexing: IndexPart;
  /** Calls back when the chain went back, so that answers about its blocks may be wrong. */
  onReverted(listener: () => void): void;
  /** Friendly address of the devnet's faucet. */
  faucet?: string;
  /** Address and key of the liteserver that other programs can have the chain from. */
  liteserver?: string | undefined;
  /** Why nothing can be read, while that is so. */
  unavailableReason(): string | undefined;
  /** Why the chain stands, or cannot be reached, while that is so. */
  degradedReason(): string | undefined;
  /** How the liteservers do that the chain is read from. */
  liteservers?: Pick<LiteserverPool, "status">;
};

/** Brings up the chain and everything that reads it; what writes the index too, where this process shall. */
export async function openNetwork(context: Context, mode: IndexMode = "write"): Promise<Network> {
  const { config, log, now } = context;
  const claim = config.index ? await claimIndex(context) : undefined;
  const source = await openSource(context);
  const { head, events, devnet } = source;
  const sent = new SentMessages(source.api, now);
  if (devnet) await keepAccepted(devnet, sent);
  else events?.onReverted(() => sent.forget());
  const lite = devnet ? source.api : sent.api;
  const reader = new ChainReader({ lite, head });
  events?.onReverted(() => reader.forget());
  if (mode === "write" && isInMemory(config))
    log.warn(
      "the index is kept in memory and grows with the chain; --data or --database-url keep it elsewhere",
    );
  const mempool = config.pending ? sent : undefined;
  const shared = config.databaseUrl === undefined ? undefined : mempool;
  const indexing = claim ? createIndexPart(context, source, { claim, mode, sent: shared }) : noIndexPart;
  const testOnly = config.network === "testnet";
  const contracts = await openContracts(context, reader);
  const { v2, v3 } = chainMethods({ lite, reader, ...contracts, mempool, indexing, testOnly });
  return {
    implementations: {
      ...(devnet ? v2 : whenPresent(v2, source)),
      ...implement(utilMethods, utilHandlers, undefined),
      devnet: devnet ? implement(devnetMethods, devnetHandlers, devnet) : elsewhere(devnetMethods),
      v3: { ...v3.ofIndex, ...(devnet ? v3.ofChain : whenPresent(v3.ofChain, source)) },
    },
    head,
    indexing,
    onReverted: (listener) => void events?.onReverted(listener),
    unavailableReason: () => source.unavailableReason(),
    degradedReason: () => source.degradedReason(),
    ...(devnet && { faucet: await faucetOf(devnet) }),
    liteserver: await openLiteserverEndpoint(context, { api: lite, zeroState: head.zeroState }),
    ...(source.liteservers && { liteservers: source.liteservers }),
  };
}

type ChainDeps = {
  lite: LiteApi;
  reader: ChainReader;
  runner: MethodRunner;
  estimator: FeeEstimator;
  emulator: TraceEmulator;
  /** Absent where nothing shall be shown of what waits there. */
  mempool: Pick<PendingMessages, "pending"> | undefined;
  indexing: IndexPart;
  /** Whether addresses are written for a test network. */
  testOnly: boolean;
};

/** The methods that read a chain, or its index, or send to it. */
function chainMethods(deps: ChainDeps) {
  const { lite, reader, runner, estimator, mempool, indexing, testOnly } = deps;
  return {
    v2: {
      ...implement(accountMethods, accountHandlers, { reader, runner }),
      ...implement(blockMethods, blockHandlers, { reader }),
      ...implement(transactionMethods, transactionHandlers, { reader }),
      ...implement(configMethods, configHandlers, { reader }),
      ...implement(runMethodMethods, runMethodHandlers, { reader, runner }),
      ...implement(tokenMethods, tokenHandlers, { reader, runner }),
      ...implement(dnsMethods, dnsHandlers, { reader, runner }),
      ...implement(feeMethods, feeHandlers, { reader, estimator }),
      ...implement(sendMethods, sendHandlers, { reader, lite }),
    },
    v3: v3Implementations({
      index: indexing.reader,
      isIndexLate: () => indexing.isLate(),
      pending: mempool ? new PendingTraces({ ...deps, mempool }) : noPending,
      book: { testOnly },
      reader,
      runner,
      estimator,
      lite,
    }),
  };
}

/** As TON Center words it where nothing is emulated. */
const noPending: PendingDeps["pending"] = {
  messages: () =>
    Promise.reject(
      new ServiceError("conflict", "emulatedTracesRepository is not initialized", { status: 500 }),
    ),
  end: () => {},
  traces: () => Promise.resolve([]),
};

/** What only the process with the devnet can do. */
function elsewhere<Group extends FlatDefinitions>(definitions: Group): Implementations<Group> {
  const refuse = (name: string) => () =>
    Promise.reject(
      new ServiceError("unknown-method", `devnet.${name} is answered by the process that has the devnet`),
    );
  // Every method of the group refuses, which no result type stands against.
  return Object.fromEntries(
    Object.keys(definitions).map((name) => [name, refuse(name)]),
  ) as unknown as Implementations<Group>;
}

/** A devnet is short enough; other chains are not. */
function isInMemory({ network, index, databaseUrl, data }: Config): boolean {
  return network !== "devnet" && index && databaseUrl === undefined && data === undefined;
}

/** The same methods, refused as long as there is nothing to read from. */
function whenPresent<Methods extends object>(
  methods: Methods,
  { unavailableReason }: Pick<ChainSource, "unavailableReason">,
): Methods {
  const guarded = Object.entries(methods as Record<string, (...args: unknown[]) => unknown>).map(
    ([name, handle]) => [
      name,
      (...args: unknown[]) => {
        const reason = unavailableReason();
        if (reason !== undefined) throw new ServiceError("unavailable", reason);
        return handle(...args);
      },
    ],
  );
  // The same names with functions of the same types, which the compiler cannot see through the entries.
  return Object.fromEntries(guarded) as Methods;
}

/** What runs contracts beside the chain: get-methods, and messages to see what they would cost. */
async function openContracts({ config, closers }: Context, reader: ChainReader) {
  const started = await ExecutorPool.start({ deadlineMs: config.callTimeoutMs });
  const pool = closers.add(started, (each) => each.close());
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
