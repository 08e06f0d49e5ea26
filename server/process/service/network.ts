import type { Registry } from "../../../shared/methods/registry.js";
import { addressOfId } from "../../../shared/ton/lite/account-id.js";
import type { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import type { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import type { Access } from "../../access/access.js";
import { builtInKey } from "../../access/keys/key-ring.js";
import type { Abis, ArtifactStore } from "../../artifacts/store.js";
import type { Config } from "../../config/settings.js";
import type { WalletInfo } from "../../devnet/control/controls.js";
import type { SetupView } from "../../devnet/control/setup.js";
import type { Devnet } from "../../devnet/devnet.js";
import { asSeen } from "../../methods/artifact-view.js";
import { devnetImplementations } from "../../methods/devnet-methods.js";
import { liteImplementations } from "../../methods/lite-methods.js";
import { subscriptionImplementations } from "../../methods/subscription-methods.js";
import { v2Implementations } from "../../methods/v2-methods.js";
import { messageStatusOf } from "../../methods/v3/messages/status.js";
import { v3Implementations } from "../../methods/v3-methods.js";
import { v4Implementations } from "../../methods/v4-methods.js";
import type { ReasonOrText } from "../../observe/health.js";
import type { AllImplementations } from "../../rpc/bind.js";
import type { Head } from "../../rpc/cache.js";
import { ReadTurns } from "../../store/read-turns.js";
import type { Hub } from "../../stream/hub.js";
import type { ForkFacts } from "../../web/pages/shells/explorer-shell.js";
import type { Context } from "../context/context.js";
import { createIndexPart } from "../index/database-index.js";
import { createForeignIndexPart } from "../index/foreign-index.js";
import { hasForeignIndex, openForeignServer } from "../index/foreign-server.js";
import { claimIndex, type IndexMode, type IndexPart, noIndexPart } from "../index/index-part.js";
import { openReading } from "../network/chain-reading.js";
import { type ChainSource, openSource } from "../network/chain-source.js";
import { openClassifier } from "../network/classifier.js";
import { contractDetection, openContracts } from "../network/contract-runs.js";
import { forkFactsOf } from "../network/fork-sign.js";
import type { LiteserverPool } from "../network/liteserver-pool.js";
import { Prints, PrintWatch } from "../network/prints.js";
import { openArtifacts } from "./artifacts.js";
import { openForkTokens } from "./fork-tokens.js";
import { textSettings } from "./known-accounts.js";
import { openLiteserverEndpoint } from "./liteserver-endpoint.js";
import { type MethodDeps, methodDeps } from "./method-deps.js";
import { settledDevnet } from "./settled-devnet.js";
import { openStreams } from "./streams.js";
import { VersionWatch } from "./versions.js";
import { openWebhooks } from "./webhooks.js";

/** The implementations of all methods for one network, and the state of that network. */
export type Network = {
  implementations: Omit<AllImplementations<Registry>, "rpc">;
  head: Head & Pick<ChainHead, "zeroState" | "last" | "onMoved">;
  /** Whether this process holds the states of the chain. */
  isLocal: boolean;
  indexing: IndexPart;
  /** Sends events to subscribers; absent without an index. */
  streams?: Hub | undefined;
  /** Notifies of a reverted chain: cached results about its blocks are invalid then. */
  onReverted(listener: () => void): void;
  /** Surroundings of this process's devnet, which change while it runs. */
  setup?: SetupView;
  /** The fork that the chain is; undefined if it is none. */
  fork(): ForkFacts | undefined;
  /** Friendly address of the devnet's faucet. */
  faucet?: string;
  /** The wallets of the devnet that have money from the beginning. */
  wallets?: readonly PrefundedWallet[];
  /** Address and public key of the liteserver endpoint, if one is open. */
  liteserver?: string | undefined;
  /** Why the chain cannot be read, or is outdated; undefined while it can. */
  unreadableReason(): ReasonOrText | undefined;
  /** Why the first block of the chain is not known yet, although liteservers answer; undefined from then on. */
  startupReason(): string | undefined;
  /** Why a devnet of this process makes no blocks; undefined while it does, and on other chains. */
  unwritableReason(): ReasonOrText | undefined;
  /** Names the content of the catalogue of contracts; undefined without one. */
  catalogueRevision(): string | undefined;
  /** Global versions of the network and of the executor. */
  versions: VersionWatch;
  artifacts: Pick<ArtifactStore, "viewOf">;
  /** Status of the liteservers that the chain is read from. */
  liteservers?: Pick<LiteserverPool, "status">;
};

/** A network's configuration is compared with the executor's version so often. */
const versionRestMs = 60_000;

/**
 * Opens the chain and everything that reads it. With the mode "write" this process also writes the index. Without
 * `keys` there are no webhooks, and no key is revoked.
 */
export async function openNetwork(
  context: Context,
  mode: IndexMode = "write",
  keys?: Pick<Access, "planOf" | "onRevoked">,
): Promise<Network> {
  const { config, log } = context;
  const foreign = hasForeignIndex(config, mode) ? await openForeignServer(context) : undefined;
  const claim = config.index && !foreign ? await claimIndex(context) : undefined;
  const source = await openSource(context);
  const { head, events, devnet } = source;
  const reading = await openReading(context, source);
  const { lite, reader, mempool } = reading;
  if (mode === "write" && isInMemory(config))
    log.warn(
      "the index is kept in memory and grows with the chain; --data or --database-url keep it elsewhere",
    );
  // Nothing runs before the artifacts are there.
  const prints =
    devnet && config.print ? printsOf(context, devnet, () => artifacts.seenBy(builtInKey)) : undefined;
  const contracts = await openContracts(context, reader, { waiting: reading.waiting, prints });
  const versions = openVersions(context, { ...reading, source, executor: contracts.executorVersion });
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
        // All processes of a service know of what its devnet accepts.
        ...(!(devnet && mode === "read") && {
          sent: { messages: reading.sent, lifetimeMs: reading.waitMs },
          exchangesSent: config.pending && config.databaseUrl !== undefined,
        }),
      })
    : foreign
      ? createForeignIndexPart(context, foreign, { source, reader })
      : noIndexPart;
  const artifacts = await openArtifacts(context, { reader, runner: contracts.recogniser }, keys);
  const deps = methodDeps(context, { source, reading, contracts, classifier, indexing, artifacts });
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
  return {
    implementations: implementationsOf(context, {
      ...{ source, deps, indexing, streams, webhooks },
      prints: prints && watchPrints(context, prints, { source, deps }),
    }),
    head,
    isLocal: source.states !== undefined,
    indexing,
    streams,
    versions,
    artifacts,
    onReverted: (listener) => void events?.onReverted(listener),
    unreadableReason: () => source.unavailableReason() ?? source.degradedReason(),
    startupReason: () => source.startupReason?.(),
    unwritableReason: () => source.unwritableReason?.(),
    catalogueRevision: () => artifacts.catalogueRevision,
    fork: forkFactsOf(devnet?.setupView),
    ...(devnet && { ...(await walletsOf(devnet)), setup: devnet.setupView }),
    liteserver: await openLiteserverEndpoint(context, {
      api: devnet?.provenApi ?? lite,
      zeroState: head.zeroState,
      ...(devnet && { initBlock: () => firstKeyBlock(reader) }),
    }),
    ...(source.liteservers && { liteservers: source.liteservers }),
  };
}

/** Watches the global versions of the network; a devnet's change with its blocks. */
function openVersions(
  { closers, log, now }: Context,
  { source, reader, executor }: { source: ChainSource; reader: ChainReader; executor: () => Promise<number> },
): VersionWatch {
  const watch = new VersionWatch({
    ...{ reader, head: source.head, executor, log, now },
    restMs: source.devnet ? 0 : versionRestMs,
  });
  closers.add(watch, async (each) => each.close());
  void watch.look();
  return watch;
}

/** Shows what contracts of a devnet print. */
function printsOf(
  { config, print, now }: Context,
  { controls, setupView }: Devnet,
  artifacts: () => Abis,
): Prints {
  const texts = textSettings(config.network, controls, now);
  return new Prints({
    artifacts,
    write: print,
    nameOf: async (account) => setupView.current.names[account] ?? (await texts.known()).find(account)?.name,
  });
}

function watchPrints(
  { closers }: Context,
  prints: Prints,
  { source, deps }: { source: ChainSource; deps: MethodDeps },
): PrintWatch {
  const watch = new PrintWatch(source.events!, { ...deps, prints });
  return closers.add(watch, (each) => each.close());
}

type MethodParts = {
  source: ChainSource;
  deps: MethodDeps;
  indexing: IndexPart;
  streams: Hub | undefined;
  webhooks: ReturnType<typeof openWebhooks> | undefined;
  prints: PrintWatch | undefined;
};

/** Logs and exports of a devnet that are made at once. */
const longAnswerTurns = { fast: 2, slow: 0 };

/** The handlers of all methods. On a devnet, what is sent is answered once its effects can be read. */
function implementationsOf(
  context: Context,
  { source, deps, indexing, streams, webhooks, prints }: MethodParts,
): Network["implementations"] {
  const { devnet, head } = source;
  const settled = devnet && settledDevnet(context, { devnet, head, indexing, streams, prints });
  const { siblings } = context;
  const calls = context.calls!;
  siblings?.onCalls((asked) => calls.newest(asked));
  const forkTokens =
    settled && openForkTokens(context, { source, deps, index: indexing.reader, begin: settled.begin });
  const sending = { ...deps, ...(settled && { lite: settled.lite }) };
  return {
    ...v2Implementations(sending),
    v3: v3Implementations({ ...sending, webhooks, forkTokens }),
    v4: v4Implementations(sending),
    lite: liteImplementations({ ...deps, sending: sending.lite }),
    devnet: devnetImplementations(
      devnet &&
        settled && {
          controls: devnet.controls,
          elections: devnet.elections,
          messages: devnet.messages,
          setup: devnet.setup,
          names: () => devnet.setupView.current.names,
          fork: () => devnet.setupView.current.fork,
          head: () => head.last,
          send: settled.send,
          rejection: deps,
          contracts: { reader: deps.reader, runner: deps.runner },
          calls: {
            newest(limit, owner) {
              // Those who run the devnet see all calls.
              const asked = owner === builtInKey ? { limit } : { limit, owner };
              const own = calls.newest(asked);
              return siblings ? siblings.calls(own, asked) : own;
            },
          },
          begin: settled.begin,
          longAnswers: new ReadTurns(longAnswerTurns),
          retrace: deps.retrace,
          statusOf: (message, call) => messageStatusOf(message, asSeen(deps)(call), call),
        },
    ),
    ...subscriptionImplementations,
  };
}

/** Whether an index of unbounded size is kept in memory. The index of a devnet is small. */
function isInMemory({ network, index, databaseUrl, data }: Config): boolean {
  return network !== "devnet" && index && databaseUrl === undefined && data === undefined;
}

/** Block 1 of a devnet, a key block: it is the same as long as the zero state is, also after a reset. */
function firstKeyBlock(reader: ChainReader): Promise<BlockIdExt> {
  return reader.lookup({ workchain: masterchain, shard: wholeShard, seqno: 1 });
}

/** A wallet that has money from the beginning. */
export type PrefundedWallet = { readonly name: string; readonly address: string; readonly balance: bigint };

async function walletsOf({ controls }: Devnet): Promise<{ faucet: string; wallets: PrefundedWallet[] }> {
  const { faucet, prefunded } = await controls.info();
  const addressOf = ({ account }: WalletInfo) => addressOfId(account).toFriendly({ bounceable: false });
  return {
    faucet: addressOf(faucet),
    wallets: prefunded.map((each) => ({ name: each.name, address: addressOf(each), balance: each.balance })),
  };
}
