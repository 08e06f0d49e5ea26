import type { Registry } from "../../shared/methods/registry.js";
import { Address } from "../../shared/values/address.js";
import type { Access } from "../access/access.js";
import type { ChainHead } from "../chain/read/head.js";
import { ChainReader } from "../chain/read/reader.js";
import { WaitingMessages } from "../chain/run/waiting-messages.js";
import { keepAccepted, SentMessages } from "../chain/sent-messages.js";
import type { Config } from "../config/settings.js";
import type { Devnet } from "../devnet/devnet.js";
import { transactionRow } from "../indexer/decode/transaction-row.js";
import { MessageEmulation } from "../indexer/emulation.js";
import { PendingTraces } from "../indexer/pending.js";
import { devnetImplementations } from "../methods/devnet.js";
import { subscriptionImplementations } from "../methods/subscriptions.js";
import { v2Implementations } from "../methods/v2.js";
import { messageStatusOf } from "../methods/v3/messages/status.js";
import { v3Implementations } from "../methods/v3.js";
import type { Reason } from "../observe/health.js";
import { randomBytes } from "../os/random-bytes.js";
import type { AllImplementations } from "../rpc/bind.js";
import type { Head } from "../rpc/cache.js";
import type { Hub } from "../stream/hub.js";
import { type BlockId, type BlockIdExt, masterchain, wholeShard } from "../tlb/block-id.js";
import type { CellOf } from "../tlb/cell-of.js";
import type { Transaction } from "../tlb/transaction.js";
import { logBlocks } from "./block-log.js";
import { openSource } from "./chain-source.js";
import { openClassifier } from "./classifier.js";
import type { Context } from "./context.js";
import { contractDetection, openContracts } from "./contracts.js";
import { claimIndex, createIndexPart, type IndexMode, type IndexPart, noIndexPart } from "./index-part.js";
import { openLiteserverEndpoint } from "./liteserver-endpoint.js";
import type { LiteserverPool } from "./liteserver-pool.js";
import { tokenSettings } from "./metadata.js";
import { settledDevnet } from "./settled-devnet.js";
import { openStreams } from "./streams.js";
import { VersionWatch } from "./versions.js";
import { openWebhooks } from "./webhooks.js";

/** The implementations of all methods for one network, and the state of that network. */
export type Network = {
  implementations: Omit<AllImplementations<Registry>, "rpc">;
  head: Head & Pick<ChainHead, "zeroState" | "last">;
  /** Whether this process holds the states of the chain. */
  isLocal: boolean;
  indexing: IndexPart;
  /** Tells what happens; absent without an index. */
  streams?: Hub | undefined;
  /** Notifies of a reverted chain: cached results about its blocks are invalid then. */
  onReverted(listener: () => void): void;
  /** Friendly address of the devnet's faucet. */
  faucet?: string;
  /** Address and public key of the liteserver endpoint, if one is open. */
  liteserver?: string | undefined;
  /** Why the chain cannot be read; undefined while it can. */
  unavailableReason(): string | undefined;
  /** Why the chain produces no blocks or is unreachable; undefined while it is healthy. */
  degradedReason(): string | Reason | undefined;
  /** Global versions of the network and of the executor. */
  versions: VersionWatch;
  /** Status of the liteservers that the chain is read from. */
  liteservers?: Pick<LiteserverPool, "status">;
};

/**
 * How long a message that was sent may wait for a block. Nodes keep external messages for ten minutes, the devnet of this
 * process for one; another minute may pass until the index has the block.
 */
const lifetimeMs = 660_000;
const devnetLifetimeMs = 120_000;

/** A network's configuration is compared with the executor's version so often. */
const versionRestMs = 60_000;

/**
 * Opens the chain and everything that reads it. With the mode "write" this process also writes the index. Without `keys`
 * nobody has webhooks.
 */
export async function openNetwork(
  context: Context,
  mode: IndexMode = "write",
  keys?: Pick<Access, "planOf" | "onRevoked">,
): Promise<Network> {
  const { config, closers, log, now } = context;
  const claim = config.index ? await claimIndex(context) : undefined;
  const source = await openSource(context);
  const { head, events, devnet } = source;
  const sent = new SentMessages(source.api, now);
  if (devnet) await keepAccepted(devnet, sent);
  else events?.onReverted(() => sent.forget());
  const lite = devnet ? source.api : sent.api;
  const reader = new ChainReader({ lite, head, states: source.states });
  events?.onReverted(() => reader.forget());
  if (events && context.logFormat === "pretty") logBlocks(events, reader, log);
  if (mode === "write" && isInMemory(config))
    log.warn(
      "the index is kept in memory and grows with the chain; --data or --database-url keep it elsewhere",
    );
  const mempool = config.pending ? sent : undefined;
  const waitMs = devnet ? devnetLifetimeMs : lifetimeMs;
  const waiting = mempool && new WaitingMessages(mempool);
  const contracts = await openContracts(context, reader, waiting);
  const versions = closers.add(
    new VersionWatch({
      ...{ reader, head, executor: contracts.executorVersion, log, now },
      restMs: devnet ? 0 : versionRestMs,
    }),
    async (each) => each.close(),
  );
  void versions.look();
  const detection = contractDetection({ reader, ...contracts }, config);
  const classifier = openClassifier(context);
  const indexing = claim
    ? createIndexPart(context, source, {
        claim,
        mode,
        isAnswered: true,
        detection,
        classifier,
        lateClassifier: openClassifier(context),
        sent: { messages: sent, lifetimeMs: waitMs },
        exchangesSent: config.pending && config.databaseUrl !== undefined,
      })
    : noIndexPart;
  const deps = {
    lite,
    reader,
    ...contracts,
    index: indexing.reader,
    isIndexLate: () => indexing.isLate(),
    fallback: context.fallback,
    blockTime: devnet && (async () => (await devnet.controls.info()).now),
    hasIndex: claim !== undefined,
    sent: {
      find: (hash: Uint8Array) => sent.find(hash),
      lifetimeMs: waitMs,
      now,
    },
    rowOf: (transaction: CellOf<Transaction>, block: BlockId) => transactionRow(transaction, block, 0),
    emulation: new MessageEmulation({
      reader,
      emulator: contracts.emulator,
      ahead: contracts.ahead,
      detection: contractDetection({ reader, ...contracts }, config),
      classifier,
      randomBytes,
    }),
    pending:
      waiting &&
      new PendingTraces({
        reader,
        emulator: contracts.emulator,
        waiting,
        classifier,
        detection: contractDetection({ reader, ...contracts }, config),
      }),
    hasFullHistory: config.network === "devnet",
    book: { testOnly: config.network === "testnet", tokens: tokenSettings(context, indexing.metadata) },
    indexGaps: () => indexing.gaps,
    // A devnet of this process is read even while it produces no blocks.
    chainUnavailableReason: () => (devnet ? undefined : source.unavailableReason()),
  };
  const streams =
    claim &&
    openStreams(context, {
      ...deps,
      readMessage: (hash, call) => messageStatusOf({ hash }, deps, call),
      indexing,
      head,
      edited: devnet && ((seqno) => devnet.events.edited(seqno)),
      sent: mempool,
    });
  const webhooks = streams && keys && openWebhooks(context, { hub: streams, indexing, keys });
  const settled = devnet && settledDevnet(context, { devnet, head, indexing, streams });
  const sending = { ...deps, ...(settled && { lite: settled.lite }) };
  return {
    implementations: {
      ...v2Implementations(sending),
      v3: v3Implementations({ ...sending, webhooks }),
      devnet: devnetImplementations(
        devnet &&
          settled && {
            controls: devnet.controls,
            elections: devnet.elections,
            contracts: { reader, runner: contracts.runner },
            calls: context.calls!,
            begin: settled.begin,
            statusOf: (message, call) => messageStatusOf(message, deps, call),
          },
      ),
      ...subscriptionImplementations,
    },
    head,
    isLocal: source.states !== undefined,
    indexing,
    streams,
    versions,
    onReverted: (listener) => void events?.onReverted(listener),
    unavailableReason: () => source.unavailableReason(),
    degradedReason: () => source.degradedReason(),
    ...(devnet && { faucet: await faucetOf(devnet) }),
    liteserver: await openLiteserverEndpoint(context, {
      api: lite,
      zeroState: head.zeroState,
      ...(devnet && { initBlock: () => firstKeyBlock(reader) }),
    }),
    ...(source.liteservers && { liteservers: source.liteservers }),
  };
}

/** Whether an index of unbounded size is kept in memory. The index of a devnet is small. */
function isInMemory({ network, index, databaseUrl, data }: Config): boolean {
  return network !== "devnet" && index && databaseUrl === undefined && data === undefined;
}

/**
 * Block 1 of a devnet, if it is a key block: it is the same as long as the zero state is, also after a reset. Chains
 * in data folders of earlier versions began with an ordinary block.
 */
async function firstKeyBlock(reader: ChainReader): Promise<BlockIdExt | undefined> {
  const id = await reader.lookup({ workchain: masterchain, shard: wholeShard, seqno: 1 });
  return (await reader.header(id)).info.keyBlock ? id : undefined;
}

async function faucetOf({ controls }: Devnet): Promise<string> {
  const { workchain, id } = (await controls.info()).faucet.account;
  return new Address(workchain, id).toFriendly({ bounceable: false });
}
