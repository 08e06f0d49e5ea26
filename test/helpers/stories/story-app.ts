import { randomBytes } from "node:crypto";
import { ArtifactStore } from "../../../server/artifacts/store.js";
import { shippedVersion } from "../../../server/chain/executor/patches/known-builds.js";
import { ExecutorThreads } from "../../../server/chain/executor/threads/executor-threads.js";
import { DebugRuns } from "../../../server/chain/retrace/debug-runs.js";
import { Retrace } from "../../../server/chain/retrace/retrace.js";
import { AccountsAhead } from "../../../server/chain/run/accounts-ahead.js";
import { FeeEstimator } from "../../../server/chain/run/fee-estimate.js";
import { MethodRunner } from "../../../server/chain/run/method-runner.js";
import type { SupposedChain } from "../../../server/chain/run/supposed-chain.js";
import { TraceEmulator } from "../../../server/chain/run/trace-emulator.js";
import { WaitingMessages } from "../../../server/chain/run/waiting-messages.js";
import { keepAccepted, SentMessages } from "../../../server/chain/sent-messages.js";
import { configWith } from "../../../server/config/settings.js";
import type { Devnet } from "../../../server/devnet/devnet.js";
import { transactionRow } from "../../../server/indexer/decode/transaction-row.js";
import { MessageEmulation } from "../../../server/indexer/traces/emulation.js";
import { PendingTraces } from "../../../server/indexer/traces/pending.js";
import { v2Implementations } from "../../../server/methods/v2-methods.js";
import { RunSources } from "../../../server/methods/v3/run-sources.js";
import { v3Implementations } from "../../../server/methods/v3-methods.js";
import { contractDetection } from "../../../server/process/network/contract-runs.js";
import type { Database } from "../../../server/store/database.js";
import { noGaps } from "../../../server/store/queries/upkeep/index-gaps.js";
import { ReadTurns } from "../../../server/store/read-turns.js";
import { IndexReader } from "../../../server/store/reads/index-reader.js";
import { registry } from "../../../shared/methods/registry.js";
import { accountMethods } from "../../../shared/methods/v2/accounts.js";
import { blockMethods } from "../../../shared/methods/v2/blocks.js";
import { tokenMethods } from "../../../shared/methods/v2/tokens.js";
import { transactionMethods } from "../../../shared/methods/v2/transactions.js";
import { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { CodeLibraries } from "../../../shared/ton/run/code-libraries.js";
import type { BlockId } from "../../../shared/ton/tlb/block-id.js";
import type { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import type { Transaction } from "../../../shared/ton/tlb/transaction.js";
import { startApp, type TestApp } from "../http/app.js";
import { classifier } from "../index/classifier.js";
import { noFallback } from "../no-fallback.js";
import { startStoryDevnet } from "./story-devnet.js";

/** A devnet with the blocks of its story and a few more; it makes no blocks by itself. */
export async function startStory(): ReturnType<typeof startStoryDevnet> {
  const devnet = await startStoryDevnet((error) => {
    throw error;
  });
  await devnet.controls.faucet({ workchain: 0, id: new Uint8Array(32).fill(7) }, 1_000_000_000n);
  await devnet.controls.mine(3);
  return devnet;
}

export type StoryApp = TestApp & {
  /** The result of a GET of either interface; fails the test when it is an error. */
  v2<T>(pathAndQuery: string): Promise<T>;
  v3<T>(pathAndQuery: string): Promise<T>;
};

/** Long enough for a slow machine. */
const timeoutMs = 120_000;

/** The parts of a service that read a devnet and its index. */
export async function openStoryReading(
  devnet: Pick<Devnet, "api" | "events" | "mempool">,
  database: Database | undefined,
  now = () => 1_700_000_000_000,
) {
  const head = new ChainHead(await devnet.api.getMasterchainInfo(), now);
  devnet.events.onHead((last) => head.move(last));
  const reader = new ChainReader({ lite: devnet.api, head });
  devnet.events.onReverted(() => reader.forget());
  const executor = new ExecutorThreads({ threads: 1, deadlineMs: timeoutMs });
  const shared = { reader, executor, libraries: new CodeLibraries(reader) };
  const runner = new MethodRunner(shared);
  const sent = new SentMessages(devnet.api, now);
  await keepAccepted(devnet, sent);
  const index = new IndexReader({ maxMs: timeoutMs });
  if (database) index.connect(database.sql({ statementTimeoutMs: timeoutMs }));
  const emulator = new TraceEmulator(shared);
  const waiting = new WaitingMessages(sent);
  const detection = contractDetection({ reader, recogniser: runner }, configWith({}));
  return {
    ...{ head, reader, executor, shared, runner, index, emulator, waiting, detection },
    /** Of messages that were sent. */
    sentMessages: sent,
    sent: { find: (hash: Uint8Array) => sent.find(hash), lifetimeMs: 120_000, now },
    rowOf: (transaction: CellOf<Transaction>, block: BlockId) => transactionRow(transaction, block, 0),
    // Their share of processor time is that of much more time: a slow machine leaves no trace out.
    pending: new PendingTraces({
      ...{ classifier, waiting, emulator, reader, detection },
      now: () => 1000 * performance.now(),
    }),
    book: { testOnly: false },
    fallback: noFallback,
    hasIndex: database !== undefined,
    now,
  };
}

/** Both interfaces over a devnet and its index; without a database reads of the index answer 503. */
export async function startStoryApp(
  devnet: Devnet,
  database: Database | undefined,
  { isIndexLate = false, clock = { ms: 1_700_000_000_000 }, artifacts = new ArtifactStore() } = {},
): Promise<StoryApp> {
  const now = () => clock.ms;
  const reading = await openStoryReading(devnet, database, now);
  const { head, reader, executor, shared, runner, emulator, waiting, detection } = reading;
  const ahead = new AccountsAhead({ waiting, emulator, reader });
  const detectionOn = (chain: SupposedChain) =>
    contractDetection({ reader: chain, recogniser: runner.on(chain) }, configWith({}));
  const deps = {
    ...reading,
    indexGaps: () => noGaps,
    artifacts,
    emulation: new MessageEmulation({
      ...{ reader, emulator, ahead, detection, detectionOn, classifier, randomBytes },
      // A trace has a part of it.
      timeoutMs: 5 * timeoutMs,
    }),
    debugRuns: new DebugRuns(new Retrace(shared)),
    runSources: new RunSources(),
    debugTurns: new ReadTurns({ fast: 2, slow: 0 }),
    executorVersion: async () => shippedVersion,
    isIndexLate: () => isIndexLate,
    estimator: new FeeEstimator({ ...shared, ahead }),
    lite: devnet.api,
    chainUnavailableReason: () => undefined,
  };
  const app = await startApp({
    registry: { ...accountMethods, ...blockMethods, ...transactionMethods, ...tokenMethods, v3: registry.v3 },
    implementations: { ...v2Implementations(deps), v3: v3Implementations(deps) },
    chain: head,
    now,
    callTimeoutMs: timeoutMs,
  });
  async function result<T>(path: string): Promise<T> {
    const { status, text, json } = await app.ask(path);
    if (status !== 200) throw new Error(`${path} is answered with ${text}`);
    return json as T;
  }
  return {
    ...app,
    v2: async <T>(path: string) => (await result<{ result: T }>(`/api/v2/${path}`)).result,
    v3: (path) => result(`/api/v3/${path}`),
    async close(drainMs) {
      await app.close(drainMs);
      await executor.close();
    },
  };
}
