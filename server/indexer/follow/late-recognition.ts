import { setMaxListeners } from "node:events";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { addToGroup } from "../../../shared/values/groups.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { indexCall } from "../../contracts/methods-at.js";
import { Doorbell } from "../../os/doorbell.js";
import { pause } from "../../os/pause.js";
import { RowSet } from "../../store/copy/row-set.js";
import type { Sql, Transaction } from "../../store/database.js";
import { writeAndSettle } from "../../store/queries/accounts/contracts.js";
import { masterchainHashes } from "../../store/queries/blocks/masterchain-blocks.js";
import { holdRows } from "../../store/queries/cluster/divided-clauses.js";
import { releaseTracesOf } from "../../store/queries/upkeep/awaited-contracts.js";
import { raiseIndexVersion } from "../../store/queries/upkeep/index-version.js";
import { type Head, holdHead, type LateWallet, tellWallets } from "../../store/queries/upkeep/late-events.js";
import {
  nextQueued,
  postponeQueued,
  type QueuedAccount,
  storeCodeCosts,
  takeQueued,
} from "../../store/queries/upkeep/recognition-queue.js";
import { lockStates } from "../../store/queries/upkeep/redetection.js";
import { tables } from "../../store/tables/all-tables.js";
import { classifyLate } from "../classify/stored-traces.js";
import type { TraceClassifier } from "../classify/trace-classifier.js";
import { keyOf } from "../hash-key.js";
import { addFound, type Detection, type Found } from "../recognition/detection.js";
import { queuedState } from "../recognition/queued-accounts.js";
import type { BatchBudget } from "../recognition/recognition-budget.js";
import { addLateEvents } from "../tokens/late-events.js";
import { ifStillThere } from "../work/failures.js";

type LateRecognitionSetting = {
  database: Sql;
  lite: Pick<LiteApi, "getMasterchainInfo">;
  /** Without it only traces are classified. */
  detection?: Detection | undefined;
  /** Reclassifies traces that requested the accounts. */
  classifier?: TraceClassifier | undefined;
  /** Share of one core for get-methods. */
  share: number;
  /** Called with failures that are retried. */
  onError: (error: Error) => void;
};

/** Accounts recognised per transaction, and the limit of their expected cost. */
const groupSize = 50;
const groupMs = 500;
const lookEveryMs = 5000;
const retryMs = 1000;

type Looked = { entry: QueuedAccount; found: readonly Found[] };

/**
 * Recognises queued accounts in turn, as of the blocks in which they were deferred, and writes the rows that these
 * blocks would have had.
 */
export class LateRecognition {
  readonly #setting: LateRecognitionSetting;
  readonly #news = new Doorbell();

  constructor(setting: LateRecognitionSetting) {
    this.#setting = setting;
  }

  /** Call when accounts may have been queued. */
  ring(): void {
    this.#news.ring();
  }

  /** Works until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const begun = performance.now();
        const { done, cpuMs } = await this.step(signal);
        if (done === 0) await this.#news.heard(signal, lookEveryMs);
        const restMs = cpuMs / this.#setting.share - (performance.now() - begun);
        if (done > 0 && restMs > 0) await pause(restMs, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#setting.onError(error as Error);
        await pause(retryMs, signal);
      }
    }
  }

  /** Works without pauses until the queue is empty. Returns the number of accounts and traces. */
  async finish(signal: AbortSignal): Promise<number> {
    for (let all = 0; ; ) {
      const { done } = await this.step(signal);
      if (done === 0) return all;
      all += done;
    }
  }

  /**
   * Recognises the accounts that are next, and classifies traces that no longer wait for any. Returns their number and
   * CPU time.
   */
  async step(signal: AbortSignal): Promise<{ done: number; cpuMs: number }> {
    const { database, classifier } = this.#setting;
    const { looked, cpuMs } = await this.#recogniseNext(signal);
    if (!classifier) return { done: looked, cpuMs };
    const before = classifier.spentMs;
    const classified = await classifyLate(database, classifier, { signal, atMost: groupSize });
    return { done: looked + classified, cpuMs: cpuMs + classifier.spentMs - before };
  }

  async #recogniseNext(signal: AbortSignal): Promise<{ looked: number; cpuMs: number }> {
    const { database, detection } = this.#setting;
    if (!detection) return { looked: 0, cpuMs: 0 };
    const entries = withinMs(await nextQueued(database, groupSize), groupMs);
    const budget = detection.budget.unbounded();
    // Several accounts are processed concurrently.
    setMaxListeners(0, signal);
    const looked: Looked[] = [];
    try {
      for (const group of groupsOfBlocks(entries)) {
        signal.throwIfAborted();
        const found = await this.#recognise(detection, group, budget, signal);
        for (const entry of group) looked.push({ entry, found: foundOf(entry, found) });
      }
    } catch (error) {
      // Others are tried before it again.
      if (!signal.aborted)
        await postponeQueued(
          database,
          entries.map(({ queued }) => queued),
        );
      throw error;
    }
    if (looked.length > 0) await database.transaction((transaction) => store(transaction, looked, budget));
    return { looked: looked.length, cpuMs: budget.spentMs };
  }

  /** As of the accounts' block, or of the newest one if the chain no longer has that state. */
  async #recognise(
    detection: Detection,
    group: readonly QueuedAccount[],
    budget: BatchBudget,
    signal: AbortSignal,
  ): Promise<readonly Found[]> {
    const { database, lite } = this.#setting;
    const accounts = group.map(queuedState);
    const call = { ...indexCall, caller: "queue", signal };
    const at = (block: BlockIdExt) =>
      detection.recognise(database, { block, accounts, methods: new Map(), call, budget });
    const { mc_seqno: seqno } = itemAt(group, 0).queued;
    const hashes = await masterchainHashes(database, seqno);
    const block = hashes && { workchain: masterchain, shard: wholeShard, seqno, ...hashes };
    return (block && (await ifStillThere(at(block)))) ?? at((await lite.getMasterchainInfo()).last);
  }
}

/** The first accounts whose expected total cost is within a limit, at least one. */
function withinMs(entries: readonly QueuedAccount[], ms: number): QueuedAccount[] {
  let sum = 0;
  return entries.filter(({ queued }, at) => {
    sum += queued.cost_ms;
    return at === 0 || sum <= ms;
  });
}

/** Groups accounts with the same block; each has one state per group. */
function groupsOfBlocks(entries: readonly QueuedAccount[]): Iterable<QueuedAccount[]> {
  const groups = new Map<string, QueuedAccount[]>();
  const states = new Map<string, number>();
  for (const entry of entries) {
    const { account, mc_seqno } = entry.queued;
    const count = (states.get(keyOf(account)) ?? 0) + 1;
    states.set(keyOf(account), count);
    addToGroup(groups, `${mc_seqno} ${count}`, entry);
  }
  return groups.values();
}

function foundOf({ queued }: QueuedAccount, found: readonly Found[]): Found[] {
  return found.filter(({ account: { state } }) => keyOf(state.account) === keyOf(queued.account));
}

/** Stores the results of accounts whose queue entry is unchanged. */
async function store(
  transaction: Transaction,
  looked: readonly Looked[],
  budget: BatchBudget,
): Promise<void> {
  await holdRows(transaction, "join");
  const wallets = looked.some(({ found }) => found.some(isWallet));
  const head = wallets ? await holdHead(transaction) : undefined;
  // Locks in the same order as the indexer's writers.
  await lockStates(
    transaction,
    looked.map(({ entry }) => entry.queued.account),
  );
  const taken = await takeQueued(
    transaction,
    looked.map(({ entry }) => entry.queued),
  );
  const names = new Set(taken.map(nameOf));
  const kept = looked.filter(({ entry }) => names.has(nameOf(entry.queued)));
  const rows = await RowSet.for(transaction);
  for (const { found } of kept) for (const each of found) addFound(rows, each);
  await addLateEvents(transaction, rows, kept);
  await writeAndSettle(
    transaction,
    rows.finish(),
    kept.map(({ entry }) => entry.queued.account),
  );
  await releaseTracesOf(
    transaction,
    kept.map(({ entry }) => entry.queued.account),
  );
  if (head)
    await tellWallets(
      transaction,
      kept.flatMap((each) => lateWallets(each, head)),
      head.next,
    );
  await storeCodeCosts(transaction, budget.takeCosts());
  await raiseIndexVersion(transaction);
}

const isWallet = ({ table }: Found) => table.name === tables.jettonWallets.name;

/** Jetton wallets of blocks that subscribers may already have received. */
function lateWallets({ entry, found }: Looked, { from }: Head): LateWallet[] {
  const { account, last_trans_lt: lt, to_seqno: mc_seqno } = entry.queued;
  return mc_seqno >= from && found.some(isWallet) ? [{ account, lt, mc_seqno }] : [];
}

const nameOf = ({ account, code_hash }: { account: Uint8Array; code_hash: Uint8Array }) =>
  `${keyOf(account)} ${keyOf(code_hash)}`;
