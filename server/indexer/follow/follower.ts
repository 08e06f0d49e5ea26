import { setMaxListeners } from "node:events";
import {
  type LiteApi,
  LiteError,
  liteErrorCode,
  type MasterchainInfo,
} from "../../../shared/ton/lite/lite-api.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import type { ChainEvents } from "../../chain/chain-events.js";
import { failureText, SetupError } from "../../errors.js";
import type { Fallback } from "../../observe/fallback.js";
import { FirstSignal } from "../../os/first-signal.js";
import { pause } from "../../os/pause.js";
import type { Database, Sql } from "../../store/database.js";
import { migrate } from "../../store/migrate/migrate.js";
import { masterchainRootHash } from "../../store/queries/blocks/masterchain-blocks.js";
import { insertMeta } from "../../store/queries/upkeep/index-meta.js";
import { ColdSlots } from "../../store/slots/cold-slots.js";
import { Partitions } from "../../store/slots/partitions.js";
import { Statistics } from "../../store/slots/statistics.js";
import { lockNumbers } from "../../store/sql/locks.js";
import { underLock } from "../../store/under-lock.js";
import { ForkError, type GroupLimits, indexerConnections, RangeIndexer } from "../batch/range-indexer.js";
import { classifyLate } from "../classify/stored-traces.js";
import type { TraceClassifier } from "../classify/trace-classifier.js";
import type { Detection } from "../recognition/detection.js";
import { ChainUnits, type UnitSource } from "../units/chain-units.js";
import type { LookOutcome } from "../validators/validator-index.js";
import { isOutOfRoom, isPassing } from "../work/failures.js";
import { levelBlocks } from "../work/progress.js";
import { type Claim, ClaimLostError, claimHead, planHead } from "../work/ranges.js";
import { backfill } from "./backfill.js";
import { claimIdentity } from "./identity.js";
import { joinRanges } from "./join-ranges.js";
import { LateRecognition } from "./late-recognition.js";
import { revert } from "./revert.js";
import { seedZeroState } from "./zero-state.js";

export type FollowerSetting = {
  database: Database;
  lite: LiteApi;
  /** Devnet events: blocks, reverts, and account edits without a transaction. */
  events?: ChainEvents | undefined;
  network: string;
  /** The first masterchain block to index; `head`: the newest block when the index begins. */
  from: number | "head";
  /** Whether the chain may be reverted. Otherwise a revert stops the index. */
  mayRevert: boolean;
  /** This process's name in the database. */
  worker: string;
  /** Wall clock, milliseconds. */
  now: () => number;
  /** Called for every failure. `final`: the follower has stopped; otherwise it retries. */
  onError: (error: Error, final: boolean) => void;
  /** Called after each commit with the last stored masterchain block. */
  onStored?: (seqno: number) => void;
  /** Called once the index has reached the block that was then the newest, with that block. */
  onCaughtUp?: ((last: BlockIdExt) => void) | undefined;
  /** A block at which a batch ends early, so that `onStored` reports it. */
  milestone?: () => number | undefined;
  /** Called when the validators' state could not be read, and when it was later read or given up. */
  onLook?: ((outcome: LookOutcome) => void) | undefined;
  /** Recognises contracts; without it their tables stay empty. */
  detection?: Detection | undefined;
  /** Classifies traces; without it there are no actions. */
  classifier?: TraceClassifier | undefined;
  /** Classifies deferred traces in parallel to `classifier`. Default: `classifier`. */
  lateClassifier?: TraceClassifier | undefined;
  fallback?: Fallback;
  /** Tablespace of the database for merged slots. Default: that of the other tables. */
  mergedTablespace?: string | undefined;
  /** Called before each step of a migration of an existing database. */
  onMigration?: (text: string) => void;
  limits?: GroupLimits;
  /** Share of one core for deferred accounts and traces. Default: 0.3; 0 disables them. */
  lateShare?: number;
};

/** `from` lies beyond the end of the index. */
class GapError extends SetupError {
  override readonly name = "GapError";

  constructor(from: number, next: number) {
    super(`the index goes on with block ${next}: to begin with ${from} would leave a gap`);
  }
}

const waitForBlockMs = 10_000;
const firstPauseMs = 100;
const longestPauseMs = 5000;
const defaultLateShare = 0.3;
/** A backfill classifies larger numbers, so that the head does not wait. */
const mostLateTraces = 10_000;

/** Follows the chain and keeps the index up to date until closed. Retries transient failures with backoff. */
export class Follower {
  readonly #setting: FollowerSetting;
  readonly #database: Sql;
  readonly #partitions: Partitions;
  readonly #statistics: Statistics;
  /** Absent for an embedded database: a copy would block it, and it is never that large. */
  readonly #coldSlots: ColdSlots | undefined;
  readonly #units: UnitSource;
  readonly #late: LateRecognition | undefined;
  readonly #ending = new AbortController();
  readonly #ended: Promise<void>;
  #wake = new AbortController();
  #pauseMs = firstPauseMs;
  #state: Follower["state"] = "waiting";
  #failure: string | undefined;
  #isOutOfRoom = false;
  #hasCaughtUp = false;
  #past: Promise<void> | undefined;

  private constructor(setting: FollowerSetting) {
    this.#setting = setting;
    this.#database = setting.database.sql({ connections: indexerConnections });
    this.#partitions = new Partitions(this.#database);
    this.#statistics = new Statistics(setting.database, setting);
    if (setting.database.isConcurrent)
      this.#coldSlots = new ColdSlots(setting.database, {
        now: setting.now,
        onError: (error) => setting.onError(error, false),
        tablespace: setting.mergedTablespace,
      });
    const { lite, events } = setting;
    this.#units = { lite, edited: events && ((seqno) => events.edited(seqno)) };
    this.#late = lateRecognition(setting);
    setMaxListeners(0, this.#ending.signal);
    const unsubscribe = events?.onReverted(() => this.#wake.abort());
    this.#ended = this.#run().finally(() => unsubscribe?.());
  }

  /** Starts following in the background. */
  static start(setting: FollowerSetting): Follower {
    return new Follower(setting);
  }

  /** The last failure in one sentence, until a retry succeeds. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Whether the last failure was lack of space. */
  get isOutOfRoom(): boolean {
    return this.#isOutOfRoom;
  }

  /** `waiting` for the lock held by another process, `writing`, or `stopped` after a final failure. */
  get state(): "waiting" | "writing" | "stopped" {
    return this.#state;
  }

  /** Resolves when the follower has stopped. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await this.#ended;
    await this.#past;
    await this.#coldSlots?.close();
    await this.#statistics.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        await this.#followWithLock();
      } catch (error) {
        if (signal.aborted) return;
        if (!(await this.#recover(error as Error))) return;
      }
    }
  }

  /** Whether to retry after a failure; waits with exponential backoff first. */
  async #recover(error: Error): Promise<boolean> {
    if (error instanceof ClaimLostError) return true;
    // The block being read was reverted.
    if (error instanceof LiteError && this.#noticeRevert()) return true;
    const passes = isPassing(error);
    this.#failure = failureText(error);
    this.#isOutOfRoom = isOutOfRoom(error);
    this.#setting.onError(error, !passes);
    if (!passes) {
      this.#state = "stopped";
      return false;
    }
    await pause(this.#pauseMs, this.#ending.signal);
    this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs);
    return true;
  }

  async #followWithLock(): Promise<void> {
    const { database, onMigration: onProgress } = this.#setting;
    await migrate(this.#database, {
      emptyCommand: database.emptyCommand,
      ...(onProgress && { onProgress }),
    });
    await this.#coldSlots?.confirmTablespace();
    this.#failure = undefined;
    await underLock(database, lockNumbers.head, this.#ending.signal, (held) => this.#write(held));
  }

  async #write(held: AbortSignal): Promise<void> {
    this.#state = "writing";
    const stop = new AbortController();
    const signal = AbortSignal.any([held, stop.signal]);
    setMaxListeners(0, signal);
    const late = this.#late?.run(signal);
    try {
      await this.#claimIdentity();
      // Each return is a revert.
      while (true) await this.#follow(signal);
    } finally {
      this.#state = "waiting";
      stop.abort();
      await late;
    }
  }

  async #claimIdentity(): Promise<void> {
    const { lite, network } = this.#setting;
    const { init: zeroState } = await lite.getMasterchainInfo();
    await this.#database.transaction((transaction) => claimIdentity(transaction, { network, zeroState }));
  }

  /** Follows the chain until it is reverted, and takes back what was stored of the blocks that are gone. */
  async #follow(signal: AbortSignal): Promise<void> {
    const { lite } = this.#setting;
    const info = await lite.getMasterchainInfo();
    const claim = await this.#claimHead(info.last);
    const zeroAccounts = claim.from === 1 ? await seedZeroState(this.#database, lite, claim) : [];
    this.#failure = undefined;
    this.#isOutOfRoom = false;
    const indexer = await RangeIndexer.open({
      database: this.#database,
      isConcurrent: this.#setting.database.isConcurrent,
      partitions: this.#partitions,
      statistics: this.#statistics,
      units: new ChainUnits(this.#units),
      claim,
      zeroAccounts,
      detection: this.#setting.detection,
      classifier: this.#setting.classifier,
      onStored: (seqno) => this.#stored(seqno),
      onLook: this.#setting.onLook,
      ...(this.#setting.limits && { limits: this.#setting.limits }),
    });
    try {
      await this.#keepUp(indexer, info.last, signal);
    } catch (error) {
      if (!(error instanceof ForkError) || !this.#setting.mayRevert) throw error;
      await this.#takeBack(claim, info, signal);
    }
  }

  /** Claims the range at the head, joined with stored ranges before it. Missing ranges are filled in the background. */
  async #claimHead(head: BlockIdExt): Promise<Claim> {
    const { from, worker, classifier } = this.#setting;
    await planHead(this.#database, from === "head" ? Math.max(1, head.seqno) : from);
    const joined = await joinRanges(this.#database);
    if (joined > 0 && classifier) await classifyLate(this.#database, classifier, { atMost: mostLateTraces });
    const claim = await claimHead(this.#database, worker);
    if (from === "head") return claim;
    if (from > claim.doneTo + 1) throw new GapError(from, claim.doneTo + 1);
    if (from < claim.from) this.#past ??= this.#fillPast();
    return claim;
  }

  async #fillPast(): Promise<void> {
    const { database, worker, onError, onLook, detection, classifier, limits, now } = this.#setting;
    const report = (error: Error) => onError(error, false);
    const filler = {
      worker: `${worker} before the head`,
      onError: report,
      onLook,
      now,
      detection,
      classifier,
      ...(limits && { limits }),
    };
    await backfill({ ...this.#units, ...filler, database }, this.#ending.signal).catch(report);
  }

  /** Stores all available blocks, waits for the next one, and repeats. */
  async #keepUp(indexer: RangeIndexer, head: BlockIdExt, signal: AbortSignal): Promise<never> {
    for (let last = head; ; last = await this.#nextHead(indexer.next, signal)) {
      signal.throwIfAborted();
      if (await this.#isOnFork(indexer, last))
        throw new ForkError(
          `the chain's newest masterchain block is ${last.seqno}, another one than is stored`,
        );
      const milestone = this.#setting.milestone?.() ?? 0;
      if (milestone >= indexer.next && milestone < last.seqno) await indexer.indexTo(milestone, signal);
      await indexer.indexTo(last.seqno, signal);
      this.#setting.onCaughtUp?.(last);
      await this.#noteCaughtUp(last.seqno);
    }
  }

  /** Records when the index first reached the chain's head: lag before that is expected. */
  async #noteCaughtUp(stored: number): Promise<void> {
    if (this.#hasCaughtUp) return;
    const { last } = await this.#setting.lite.getMasterchainInfo();
    if (last.seqno > stored + levelBlocks) return;
    await this.#database.transaction((transaction) =>
      insertMeta(transaction, "caught_up_at", String(stored)),
    );
    this.#hasCaughtUp = true;
  }

  /** If the chain cannot be reverted, a head below the stored one only means a lagging server. */
  async #isOnFork(indexer: RangeIndexer, last: BlockIdExt): Promise<boolean> {
    if (!indexer.contradicts(last)) return false;
    if (this.#setting.mayRevert) return true;
    const stored = await masterchainRootHash(this.#database, last.seqno);
    return stored !== undefined && !bytesEqual(stored, last.rootHash);
  }

  /** Waits for a block, a timeout or a revert, and returns the current head. */
  async #nextHead(seqno: number, signal: AbortSignal): Promise<BlockIdExt> {
    const { lite, now } = this.#setting;
    const first = new FirstSignal(signal, this.#wake.signal);
    try {
      const call = { waitSeqno: seqno, deadline: now() + waitForBlockMs, signal: first.signal };
      return (await lite.getMasterchainInfo({}, call)).last;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof LiteError) || !isNotYet(error)) throw error;
      // Consume revert notices received while storing; the head read below reflects them.
      this.#noticeRevert();
      return (await lite.getMasterchainInfo()).last;
    } finally {
      first.clear();
    }
  }

  /** Whether the chain was reverted since the last call. */
  #noticeRevert(): boolean {
    if (!this.#wake.signal.aborted) return false;
    this.#wake = new AbortController();
    return true;
  }

  async #takeBack(claim: Claim, { init }: MasterchainInfo, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { lite, detection } = this.#setting;
    const chain = { lite, units: new ChainUnits({ lite }), zeroState: init, detection };
    this.#stored(await revert(this.#database, claim, chain));
  }

  #stored(seqno: number): void {
    this.#pauseMs = firstPauseMs;
    this.#failure = undefined;
    this.#coldSlots?.stored();
    this.#late?.ring();
    this.#setting.onStored?.(seqno);
  }
}

function lateRecognition(setting: FollowerSetting): LateRecognition | undefined {
  const { database, lite, detection, lateShare: share = defaultLateShare, onError } = setting;
  const classifier = setting.lateClassifier ?? setting.classifier;
  if ((!detection && !classifier) || share === 0) return undefined;
  return new LateRecognition({
    database: database.sql({ connections: 1 }),
    lite,
    detection,
    classifier,
    share,
    onError: (error) => onError(error, false),
  });
}

function isNotYet({ code }: LiteError): boolean {
  return code === liteErrorCode.timeout || code === liteErrorCode.cancelled;
}
