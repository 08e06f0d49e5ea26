import { handledLater } from "../../../shared/values/promises.js";
import type { Log } from "../../observe/log.js";
import { pause } from "../../os/pause.js";
import type { Listening } from "../service/service.js";
import type { SupervisorSide, WorkerStart } from "./messages.js";
import { WorkerProcess } from "./worker-process.js";

type SlotParts = {
  number: number;
  log: Pick<Log, "info" | "error">;
  /** Wall clock, ms. */
  now: () => number;
  /** Fires when no process is to be started any more. */
  ending: AbortSignal;
  sideOf(worker: WorkerProcess): SupervisorSide;
  startOf(): WorkerStart;
  /** Called before the process starts. */
  onFork(worker: WorkerProcess): void;
  onEnded(worker: WorkerProcess): void;
  /** Called when a process has ended too often. */
  giveUp(reason: string): void;
};

/** A process that ran for so long is started again at once, and its earlier ends are forgotten. */
const steadyMs = 60_000;
const firstPauseMs = 500;
const maxPauseMs = 30_000;
/** After so many ends in a row, each soon after its start, the service gives up. */
const maxEnds = 8;

/** The place of one process, in which another one is started when it ends. */
export class Slot {
  readonly number: number;
  readonly #parts: SlotParts;
  #worker: WorkerProcess | undefined;
  #startedAt = 0;
  #starts = 0;
  /** Ends in a row. */
  #ends = 0;
  #kept: Promise<void> | undefined;

  constructor(parts: SlotParts) {
    this.number = parts.number;
    this.#parts = parts;
  }

  /** The process, which may be starting; `undefined` between an end and the next start. */
  get worker(): WorkerProcess | undefined {
    return this.#worker;
  }

  get restarts(): number {
    return Math.max(0, this.#starts - 1);
  }

  /** Starts the first process; resolves when it answers. Rejects if it cannot start, and then starts no other. */
  async begin(): Promise<Listening> {
    const worker = this.#fork();
    const listening = await worker.start(this.#parts.startOf());
    this.#kept = handledLater(this.#keep(worker));
    return listening;
  }

  async stop(signal: NodeJS.Signals | undefined): Promise<void> {
    await this.#worker?.stop(signal);
    await this.#kept;
  }

  #fork(): WorkerProcess {
    const { sideOf, onFork, onEnded, now } = this.#parts;
    const worker = new WorkerProcess(sideOf);
    this.#worker = worker;
    this.#starts++;
    this.#startedAt = now();
    onFork(worker);
    void worker.ended.then(() => {
      this.#worker = undefined;
      onEnded(worker);
    });
    return worker;
  }

  async #keep(first: WorkerProcess): Promise<void> {
    const { ending } = this.#parts;
    for (let worker = first; ; worker = await this.#again()) {
      const how = await worker.ended;
      if (ending.aborted || !(await this.#mayStart(how))) return;
    }
  }

  /** Waits until another process may take the place of one that has ended. */
  async #mayStart(how: number | string): Promise<boolean> {
    const { number, log, now, ending, giveUp } = this.#parts;
    const ranMs = now() - this.#startedAt;
    this.#ends = ranMs < steadyMs ? this.#ends + 1 : 1;
    const cause = typeof how === "number" ? `exit code ${how}` : how;
    if (this.#ends === maxEnds) {
      giveUp(
        `process ${number} of the service has ended ${maxEnds} times in a row, the last time by ${cause}`,
      );
      return false;
    }
    log.error({ process: number, cause }, "a process of the service has ended; another one takes its place");
    if (this.#ends > 1) await pause(Math.min(maxPauseMs, firstPauseMs * 2 ** (this.#ends - 2)), ending);
    return !ending.aborted;
  }

  async #again(): Promise<WorkerProcess> {
    const { number, log, startOf } = this.#parts;
    const worker = this.#fork();
    try {
      await worker.start(startOf());
      log.info({ process: number }, "the process answers");
    } catch (error) {
      log.error(`process ${number} cannot start: ${(error as Error).message}`);
      worker.kill();
    }
    return worker;
  }
}
