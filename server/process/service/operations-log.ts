import { levelBlocks } from "../../indexer/work/progress.js";
import type { Log } from "../../observe/log.js";
import type { IndexRole } from "../../observe/part-metrics.js";
import type { Context } from "../context/context.js";
import { type IndexStatus, lateSec } from "../index/index-part.js";
import type { LiteserverPool } from "../network/liteserver-pool.js";

type IndexStatusSeen = Pick<IndexStatus, "role" | "progress" | "isReadable" | "isAnswered">;

/** The state whose changes are logged. */
export type OperationsState = {
  /** `undefined` without an index, and before its database is open. */
  index: IndexStatusSeen | undefined;
  /** How many liteservers can be used, and how many there are; absent where the chain is not read from any. */
  liteservers?: { usable: number; all: number } | undefined;
};

const lookEveryMs = 1000;
/** A writer waits for its lock for a moment before it knows that it has it. */
const standbyLooks = 5;

/** Logs what operators follow, one sentence for each change. Looks once a second while the process runs. */
export function logOperations(
  { closers, log }: Pick<Context, "closers" | "log">,
  index: () => IndexStatus | undefined,
  liteservers: Pick<LiteserverPool, "status"> | undefined,
): void {
  const operations = new OperationsLog(log);
  const look = () => operations.look({ index: index(), liteservers: liteservers && usableOf(liteservers) });
  closers.add(setInterval(look, lookEveryMs).unref(), clearInterval);
}

function usableOf(pool: Pick<LiteserverPool, "status">): { usable: number; all: number } {
  const { servers } = pool.status();
  return { usable: servers.filter(({ state }) => state === "alive").length, all: servers.length };
}

/** Compares each state with the one before. */
export class OperationsLog {
  readonly #log: Pick<Log, "info" | "warn">;
  #role: IndexRole | undefined;
  #looksOnStandby = 0;
  #database: "unknown" | "readable" | "lost" = "unknown";
  #pace: "unknown" | "level" | "late" = "unknown";
  #hasLiteservers: boolean | undefined;

  constructor(log: Pick<Log, "info" | "warn">) {
    this.#log = log;
  }

  look({ index, liteservers }: OperationsState): void {
    if (liteservers) this.#lookAtLiteservers(liteservers);
    if (!index) return;
    this.#lookAtRole(index);
    this.#lookAtDatabase(index);
    // How fast another process writes is for that one to report.
    if (index.isReadable && index.role !== "standby") this.#lookAtLag(index.progress);
  }

  #lookAtLiteservers({ usable, all }: { usable: number; all: number }): void {
    const had = this.#hasLiteservers;
    const has = usable > 0;
    this.#hasLiteservers = has;
    if (had === undefined || had === has) return;
    if (has) this.#log.info(`liteservers can be used again: ${usable} of ${all}`);
    else
      this.#log.warn(
        `none of ${all} liteservers can be used: calls that need the chain fail until one answers`,
      );
  }

  #lookAtRole({ role, isReadable }: IndexStatusSeen): void {
    // Without the database nobody knows who writes.
    if (role === "standby" && !isReadable) {
      this.#loseRole();
      return;
    }
    this.#looksOnStandby = role === "standby" ? this.#looksOnStandby + 1 : 0;
    if (role === this.#role || (role === "standby" && this.#looksOnStandby < standbyLooks)) return;
    const before = this.#role;
    this.#role = role;
    if (role === "standby")
      this.#log.info(
        before === "writer"
          ? "this process no longer writes the index: another process does, and this one stands by"
          : "this process stands by: another process writes the index",
      );
    if (role === "writer")
      this.#log.info(
        before === "standby"
          ? "this process has taken over and writes the index"
          : "this process writes the index",
      );
  }

  #loseRole(): void {
    if (this.#role === "writer")
      this.#log.warn("this process no longer writes the index: its database is lost");
    this.#role = undefined;
    this.#looksOnStandby = 0;
  }

  #lookAtDatabase({ isReadable, role, isAnswered }: IndexStatusSeen): void {
    if (isReadable) {
      if (this.#database === "lost") this.#log.info("the database of the index is back");
      this.#database = "readable";
    } else if (this.#database === "readable") {
      const blocks = role === "writer" ? "no block is stored, and " : "";
      const answers = isAnswered ? "standbys answer v3" : "calls that read it are refused with 503";
      this.#log.warn(`the database of the index is lost: ${blocks}${answers} until it is back`);
      this.#database = "lost";
    }
  }

  /** Between level and late nothing changes: the index of a young chain is many blocks behind without being late. */
  #lookAtLag({ lagSec, seqno, chainSeqno }: IndexStatus["progress"]): void {
    if (lagSec === undefined) return;
    const was = this.#pace;
    if (lagSec > lateSec) this.#pace = "late";
    else if (chainSeqno - seqno <= levelBlocks) this.#pace = "level";
    if (was === this.#pace) return;
    if (this.#pace === "level") this.#log.info(`the index has caught up with the chain at block ${seqno}`);
    else if (was === "level")
      this.#log.warn(`the index lags: at block ${seqno} it is ${lagSec} s behind the chain`);
    else this.#log.info(`the index catches up: at block ${seqno} it is ${lagSec} s behind the chain`);
  }
}
