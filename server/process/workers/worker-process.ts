import cluster, { type Worker } from "node:cluster";
import { ConfigError } from "../../config/settings.js";
import { SetupError } from "../../errors.js";
import { type Answer, Channel, type ChannelMessage, type Handlers } from "../../os/channel/channel.js";
import { pause } from "../../os/pause.js";
import { processEntry } from "../../os/worker.js";
import { drainMs } from "../context/shutdown.js";
import { engineFlags } from "../engine-flags.js";
import type { Listening } from "../service/service.js";
import type { StartFailure, SupervisorSide, WorkerSide, WorkerStart } from "./messages.js";

/** A process that has not ended after this time is killed: its calls have had `drainMs`, and closing takes a moment. */
const stopMs = drainMs + 10_000;

/** The first message of a process: it takes messages now. */
export type Listens = "listens";

/** How the processes of workers are started; call it before the first one. */
export function prepareWorkers(): void {
  // The processes accept from one socket of the kernel. If this process passed connections on, as by default, those that it
  // has just passed to a process that is killed would never be answered.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const { exec, execArgv } = processEntry(import.meta.url, "service-worker");
  cluster.setupPrimary({
    exec,
    args: [],
    execArgv: [...process.execArgv, ...engineFlags, ...execArgv],
    serialization: "advanced",
  });
}

/** A process that answers calls. */
export class WorkerProcess {
  readonly channel: Channel<WorkerSide>;
  /** Resolves with its exit code or signal. */
  readonly ended: Promise<number | string>;
  readonly #worker: Worker;
  #hasEnded = false;
  /** Connections that it has open, as it reported. */
  connections = 0;
  /** Whether it answers calls. */
  isReady = false;

  constructor(sideOf: (worker: WorkerProcess) => SupervisorSide) {
    const worker = cluster.fork();
    this.#worker = worker;
    // Messages to a process that has just ended are lost.
    const send = (messages: ChannelMessage[]) => void worker.process.send(messages, () => {});
    // Messages that arrive before the process listens would be lost, too.
    let held: ChannelMessage[] | undefined = [];
    this.channel = new Channel<WorkerSide>({
      send: (messages) => (held ? held.push(...messages) : send(messages)),
      handlers: sideOf(this) satisfies Handlers,
    });
    worker.on("message", (messages: ChannelMessage[] | Listens) => {
      if (messages !== "listens") return this.channel.take(messages);
      if (held) send(held);
      held = undefined;
    });
    this.ended = new Promise((resolve) => {
      const end = (how: number | string) => {
        this.#hasEnded = true;
        this.isReady = false;
        this.channel.end(new Error("the other process has ended"));
        resolve(how);
      };
      worker.once("exit", (code, signal) => end(signal ?? code));
      worker.on("error", (error) => worker.process.pid === undefined && end(error.message));
    });
  }

  get pid(): number | undefined {
    return this.#worker.process.pid;
  }

  /** Identifies the process in what it shares with others. */
  get instance(): string {
    return String(this.#worker.id);
  }

  /** Throws `ConfigError` or `SetupError` for what an operator can mend. */
  async start(start: WorkerStart): Promise<Listening> {
    const answer = await this.channel.ask("start", start);
    if ("failure" in answer) throw errorOf(answer.failure);
    this.isReady = true;
    return answer.listening;
  }

  /** Lets its calls end, and closes it. */
  async stop(signal: NodeJS.Signals | undefined): Promise<void> {
    this.isReady = false;
    const kill = setTimeout(() => this.kill(), stopMs);
    // Rejects if it has ended by itself.
    await this.channel.ask("close", signal).catch(() => {});
    if (!this.#hasEnded && this.#worker.isConnected()) this.#worker.process.disconnect();
    await this.ended;
    clearTimeout(kill);
  }

  kill(): void {
    this.#worker.process.kill("SIGKILL");
  }

  /** Asks it, but waits no longer than `maxMs`; `undefined` if it has not answered then. */
  async askWithin<Name extends keyof WorkerSide>(
    maxMs: number,
    name: Name,
    argument: Parameters<WorkerSide[Name]>[0],
  ): Promise<Answer<WorkerSide, Name> | undefined> {
    const over = new AbortController();
    // It may end before it answers.
    const answer = this.channel.ask(name, argument).catch(() => undefined);
    const late = pause(maxMs, over.signal).then(() => undefined);
    return Promise.race([answer, late]).finally(() => over.abort());
  }
}

function errorOf(failure: StartFailure): Error {
  if (failure.kind === "config") return new ConfigError(failure.problems);
  return failure.kind === "setup" ? new SetupError(failure.message) : new Error(failure.message);
}
