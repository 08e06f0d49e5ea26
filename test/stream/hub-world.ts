import { ExecutorPool } from "../../server/chain/executor/pool.js";
import { MethodRunner } from "../../server/chain/run/method-runner.js";
import { TraceEmulator } from "../../server/chain/run/trace-emulator.js";
import { WaitingMessages } from "../../server/chain/run/waiting-messages.js";
import { keepAccepted, SentMessages } from "../../server/chain/sent-messages.js";
import { configWith } from "../../server/config/settings.js";
import type { Devnet } from "../../server/devnet/devnet.js";
import { transactionRow } from "../../server/indexer/decode/transaction-row.js";
import { PendingTraces } from "../../server/indexer/pending.js";
import { messageStatusOf } from "../../server/methods/v3/messages/status.js";
import { contractDetection } from "../../server/process/contract-runs.js";
import type { Database } from "../../server/store/database.js";
import { IndexReader } from "../../server/store/index-reader.js";
import { actionChoice } from "../../server/stream/action-choice.js";
import type { EventKey } from "../../server/stream/event-key.js";
import { invalidation } from "../../server/stream/events.js";
import { type Filter, nothing } from "../../server/stream/filter.js";
import { Hub } from "../../server/stream/hub.js";
import type { SentEvent } from "../../server/stream/sent-event.js";
import type { Notice, Sink } from "../../server/stream/subscription.js";
import { ChainHead } from "../../shared/ton/proofs/read/head.js";
import { ChainReader } from "../../shared/ton/proofs/read/reader.js";
import { CodeLibraries } from "../../shared/ton/run/code-libraries.js";
import type { BlockId } from "../../shared/ton/tlb/block-id.js";
import type { CellOf } from "../../shared/ton/tlb/cell-of.js";
import type { Transaction } from "../../shared/ton/tlb/transaction.js";
import { classifier } from "../helpers/index/classifier.js";
import { noFallback } from "../helpers/no-fallback.js";
import { until } from "../helpers/until.js";

/** An event as a client reads it. */
export type Told = { type: string; finality?: string; [member: string]: unknown };

/** A client that records its events and may refuse to read. */
export class TestSink implements Sink {
  isFull = false;
  readonly events: Told[] = [];
  readonly keys: (EventKey | undefined)[] = [];
  /** Seqnos of the blocks above which everything became void. */
  readonly reverts: number[] = [];

  send({ json, key }: Pick<SentEvent, "json" | "key">): void {
    this.events.push(JSON.parse(json));
    this.keys.push(key);
  }

  tell(notice: Notice): void {
    if (notice.type === "reverted") this.reverts.push(notice.to.seqno);
    if (notice.type === "invalidated") this.send({ json: invalidation(notice.trace), key: undefined });
  }

  ofType(type: string): Told[] {
    return this.events.filter((event) => event.type === type);
  }
}

/** A client that takes one event after the other. */
export class SlowSink extends TestSink {
  override send(sent: Pick<SentEvent, "json" | "key">): void {
    super.send(sent);
    this.isFull = true;
  }
}

/** A filter for everything about some accounts. */
export function filterWith(special: Partial<Filter>): Filter {
  return { ...nothing, actions: actionChoice([], []), ...special };
}

/** Before all events of a block. */
export const atBlock = (seqno: number): EventKey => ({ seqno, rank: 0, lt: 0n, id: "" });

/** A hub over a devnet and an index that a test fills. */
export async function openHub(devnet: Devnet, database: Database) {
  const now = () => 1_700_000_000_000;
  const head = new ChainHead(await devnet.api.getMasterchainInfo(), now);
  devnet.events.onHead((last) => head.move(last));
  const reader = new ChainReader({ lite: devnet.api, head });
  devnet.events.onReverted(() => reader.forget());
  const timeoutMs = 120_000;
  const pool = new ExecutorPool({ threads: 1, deadlineMs: timeoutMs });
  const shared = { reader, pool, libraries: new CodeLibraries(reader) };
  const emulator = new TraceEmulator(shared);
  const detection = contractDetection({ reader, recogniser: new MethodRunner(shared) }, configWith({}));
  const sent = new SentMessages(devnet.api, now);
  await keepAccepted(devnet, sent);
  const index = new IndexReader({ maxMs: timeoutMs });
  index.connect(database.sql({ statementTimeoutMs: timeoutMs }));
  const errors: Error[] = [];
  let statements = 0;
  const pending = new PendingTraces({
    classifier,
    waiting: new WaitingMessages(sent),
    emulator,
    reader,
    detection,
  });
  const messageDeps = {
    ...{ index, reader, pending, hasIndex: true, isIndexLate: () => false },
    sent: { find: (hash: Uint8Array) => sent.find(hash), lifetimeMs: 120_000, now },
    rowOf: (transaction: CellOf<Transaction>, block: BlockId) => transactionRow(transaction, block, 0),
  };
  const hub = new Hub({
    index: {
      read: (call, work) =>
        index.read(call, (queries, bookmarks) => {
          const query: typeof queries.query = (...statement) => {
            statements++;
            return queries.query(...statement);
          };
          const isDivided = async () => (await queries.isDivided?.()) ?? false;
          return work({ query, isDivided }, bookmarks);
        }),
    },
    book: { testOnly: false },
    pending,
    isDevnet: true,
    readMessage: (hash, call) => messageStatusOf({ hash }, messageDeps, call),
    chain: "00000000",
    now,
    fallback: noFallback,
    onError: (error) => errors.push(error),
  });
  head.onMoved(() => hub.chainChanged());
  sent.onKept(() => hub.chainChanged());
  hub.start();
  /** Waits until the hub has sent everything up to a block. */
  const reaches = async (seqno: number) => {
    hub.indexChanged();
    await until(
      () => `the hub to reach block ${seqno}: ${hub.seqno} ${errors}`,
      () => hub.seqno === seqno || errors.length > 0,
    );
    if (errors.length > 0) throw errors[0];
  };
  const close = async () => {
    await hub.close();
    await pool.close();
  };
  return { hub, reaches, errors, close, statements: () => statements };
}
