import type { BlockId } from "../../../shared/ton/tlb/block-id.js";
import type { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import type { Transaction } from "../../../shared/ton/tlb/transaction.js";
import type { Address } from "../../../shared/values/address.js";
import { patienceOf } from "../../access/limits/caller-share.js";
import type { ArtifactStore } from "../../artifacts/store.js";
import { DebugRuns } from "../../chain/retrace/debug-runs.js";
import { ForkedRetrace } from "../../chain/retrace/forked-retrace.js";
import type { SupposedChain } from "../../chain/run/supposed-chain.js";
import type { Devnet } from "../../devnet/devnet.js";
import { transactionRow } from "../../indexer/decode/transaction-row.js";
import { MessageEmulation } from "../../indexer/traces/emulation.js";
import { PendingTraces } from "../../indexer/traces/pending.js";
import { RunSources } from "../../methods/v3/run-sources.js";
import { ReadTurns } from "../../store/read-turns.js";
import type { Context } from "../context/context.js";
import type { IndexPart } from "../index/index-part.js";
import { tokenSettings } from "../index/metadata.js";
import type { ChainReading } from "../network/chain-reading.js";
import type { ChainSource } from "../network/chain-source.js";
import type { openClassifier } from "../network/classifier.js";
import { contractDetection, type openContracts } from "../network/contract-runs.js";
import { textSettings } from "./known-accounts.js";

/** Transactions that are run again at once. */
const debugTurns = { fast: 2, slow: 0 };

type Parts = {
  source: ChainSource;
  reading: ChainReading;
  contracts: Awaited<ReturnType<typeof openContracts>>;
  classifier: ReturnType<typeof openClassifier>;
  indexing: IndexPart;
  artifacts: ArtifactStore;
};

export type MethodDeps = ReturnType<typeof methodDeps>;

/** Dependencies of the handlers: the chain, the index, and the effects of pending messages. */
export function methodDeps(
  context: Context,
  { source, reading, contracts, classifier, indexing, artifacts }: Parts,
) {
  const { config, fallback, now, randomBytes, emulationTimeoutMs } = context;
  const { devnet } = source;
  const { lite, reader, sent, waiting, waitMs } = reading;
  const { emulator, ahead } = contracts;
  const retrace = source.outside && devnet ? forkedRetrace(devnet, contracts, now) : contracts.retrace;
  const detect = () => contractDetection({ reader, ...contracts }, config);
  const detectionOn = (chain: SupposedChain) =>
    contractDetection({ reader: chain, recogniser: contracts.recogniser.on(chain) }, config);
  return {
    lite,
    reader,
    ...contracts,
    index: indexing.reader,
    isIndexLate: () => indexing.isLate(),
    fallback,
    blockTime: devnet && (async () => (await devnet.controls.info()).now),
    hasIndex: config.index,
    sent: { find: (hash: Uint8Array) => sent.find(hash), lifetimeMs: waitMs, now },
    rowOf: (transaction: CellOf<Transaction>, block: BlockId) => transactionRow(transaction, block, 0),
    emulation: new MessageEmulation({
      reader,
      emulator,
      ahead,
      detection: detect(),
      detectionOn,
      classifier,
      randomBytes,
      timeoutMs: emulationTimeoutMs,
      patienceOf,
    }),
    pending: waiting && new PendingTraces({ reader, emulator, waiting, classifier, detection: detect() }),
    retrace,
    debugRuns: new DebugRuns(retrace),
    debugTurns: new ReadTurns(debugTurns),
    runSources: new RunSources(),
    artifacts,
    hasFullHistory: config.network === "devnet",
    book: {
      testOnly: config.network === "testnet",
      tokens: tokenSettings(context, indexing.metadata),
      texts: textSettings(config.network, devnet?.controls, now),
      artifacts,
      seenBy: (owner: string) => artifacts.seenBy(owner),
      ...(devnet && { nameOf: (address: Address) => devnet.setupView.current.names[address.toRawUpper()] }),
    },
    indexGaps: () => indexing.gaps,
    // A devnet of this process is read even while it produces no blocks.
    chainUnavailableReason: () => (devnet ? undefined : source.unavailableReason()),
  };
}

/** A fork has the transactions before it from its network. */
function forkedRetrace(
  { networkApi, setupView }: Devnet,
  { retrace, retraceOn }: Parts["contracts"],
  now: () => number,
): ForkedRetrace {
  const startLt = () => setupView.current.fork?.lt ?? 0n;
  return new ForkedRetrace({ own: retrace, network: networkApi, startLt, retraceOn, now });
}
