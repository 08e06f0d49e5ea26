import { setTimeout as wait } from "node:timers/promises";
import { itemAt } from "../../../shared/values/lookups.js";
import { HoldingsTable } from "../../access/limits/shared-holdings.js";
import { Windows } from "../../access/limits/windows.js";
import type { UsageStore } from "../../access/usage/usage.js";
import { type Config, ConfigError, keyStoreOf, keysFileOf } from "../../config/settings.js";
import type { DevnetThread } from "../../devnet/thread/devnet-thread.js";
import { SetupError } from "../../errors.js";
import { operatorUsage } from "../../http/usage.js";
import { type Context, createContext } from "../context/context.js";
import { drainMs, stopBegins } from "../context/shutdown.js";
import { newestOf } from "../context/siblings.js";
import type { Environment } from "../environment.js";
import { logFailure } from "../failure-log.js";
import type { IndexMode } from "../index/index-part.js";
import { devnetKeyOf } from "../network/devnet-key.js";
import type { OwnDevnet } from "../network/own-devnet.js";
import type { Listening } from "../service/service.js";
import { openServiceUsage } from "../service/usage.js";
import { version } from "../service/version.js";
import { openWorkersAdmin } from "./admin.js";
import { ConnectionMean } from "./connection-mean.js";
import { DevnetRelay } from "./devnet-relay.js";
import type { SupervisorSide, WorkerStart } from "./messages.js";
import { Slot } from "./slot.js";
import { prepareWorkers, type WorkerProcess } from "./worker-process.js";

type Plan = {
  mode: IndexMode;
  /** How many processes answer calls. */
  count: number;
  /** The devnet of this process, if it has one; the workers read and control it. */
  devnet: OwnDevnet | undefined;
};

/** How long an answer waits for a process that does not answer itself. */
const patienceMs = 1000;

/**
 * A service whose calls are answered by several processes on one port. This one answers none: it starts them, and again
 * if one ends, has what they share, and is the one endpoint for their operator.
 */
export class Supervisor {
  /** Rejects when the service cannot continue, because a process ends again and again. */
  readonly ended: Promise<never>;
  readonly #context: Context;
  readonly #environment: Environment;
  readonly #plan: Plan;
  readonly #windows: Windows;
  readonly #holdings: HoldingsTable;
  readonly #relays = new Map<WorkerProcess, DevnetRelay>();
  readonly #slots: readonly Slot[];
  readonly #mean: ConnectionMean;
  readonly #ending = new AbortController();
  #devnet: DevnetThread | undefined;
  /** What keys have used in all processes, since the start. */
  #usage: UsageStore | undefined;
  /** The settings of the workers. */
  #config: Config;
  #hasListened = false;
  #giveUp: (error: Error) => void = () => {};

  constructor(config: Config, environment: Environment, plan: Plan) {
    this.#config = config;
    this.#environment = environment;
    this.#plan = plan;
    this.#context = createContext(config, { ...environment, devnet: plan.devnet });
    const { now } = this.#context;
    this.#windows = new Windows(now, plan.count);
    this.#holdings = new HoldingsTable(now);
    this.#mean = new ConnectionMean(() => this.#ready);
    this.ended = new Promise((_, reject) => {
      this.#giveUp = reject;
    });
    this.#slots = Array.from({ length: plan.count }, (_, at) => this.#slot(at + 1));
  }

  async listen(): Promise<Listening> {
    const { closers, config, fallback, health, log, now } = this.#context;
    const usage = closers.add(await openServiceUsage(config), (each) => each.close());
    this.#usage = usage;
    const key = devnetKeyOf(this.#context);
    if (key) this.#config = { ...this.#config, devnetKey: key.text };
    const onError = (error: Error) => logFailure(log, error, { failed: "the devnet failed" });
    this.#devnet = await this.#plan.devnet?.started({ onError, fallback });
    prepareWorkers();
    // It creates what the others find, such as the schema of the database.
    const listening = await itemAt(this.#slots, 0).begin();
    await Promise.all(this.#slots.slice(1).map((slot) => slot.begin()));
    closers.add(this.#mean, (mean) => mean.close());
    const adminUrl = await openWorkersAdmin(this.#context, this.#slots, (search) =>
      operatorUsage(usage, search, now()),
    );
    this.#hasListened = true;
    health.enter("ready");
    const { url } = listening;
    log.info(
      { version, url, ...(adminUrl !== undefined && { adminUrl }) },
      `the service is ready: ${this.#plan.count} processes answer`,
    );
    return {
      ...listening,
      ...(adminUrl !== undefined && { adminUrl }),
      ...(key?.path !== undefined && { devnetKeyFile: key.path }),
    };
  }

  /** Every process reads its keys again, and takes over the settings. */
  reload(read: () => Config): void {
    this.#context.live.reload(read);
    let next: Config | undefined;
    let problems: readonly string[] = [];
    try {
      next = read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems = error.problems;
    }
    const { devnetKey } = this.#config;
    if (next) this.#config = { ...next, devnetKey };
    for (const { number, worker } of this.#slots)
      worker?.channel.tell("reload", next ? this.#configOf(number) : problems);
  }

  /** The processes stop one after the other, so that others answer while calls of one end; the first one is the last. */
  async close(signal?: NodeJS.Signals): Promise<void> {
    const { closers, config, health, log } = this.#context;
    health.enter("stopping");
    this.#ending.abort();
    log.info(stopBegins(signal));
    if (this.#hasListened && config.stopDelay > 0) {
      for (const worker of this.#ready) worker.channel.tell("leave", undefined);
      await wait(1000 * config.stopDelay);
    }
    const turnMs = drainMs / this.#slots.length;
    const stops: Promise<void>[] = [];
    for (const slot of [...this.#slots].reverse()) {
      const stop = slot.stop(signal);
      stops.push(stop);
      await Promise.race([stop, wait(turnMs, undefined, { ref: false })]);
    }
    await Promise.all(stops);
    await closers.close();
    log.info("all processes of the service have stopped");
  }

  get #ready(): WorkerProcess[] {
    return this.#slots.flatMap(({ worker }) => (worker?.isReady ? [worker] : []));
  }

  #slot(number: number): Slot {
    const { log, now } = this.#context;
    return new Slot({
      ...{ number, log, now },
      ending: this.#ending.signal,
      sideOf: (worker) => this.#sideOf(worker),
      startOf: () => this.#startOf(number),
      onFork: (worker) => this.#relay(worker),
      onEnded: (worker) => {
        this.#relays.get(worker)?.close();
        this.#relays.delete(worker);
        this.#holdings.drop(worker.instance);
        this.#mean.changed();
      },
      giveUp: (reason) => this.#giveUp(new SetupError(reason)),
    });
  }

  #startOf(number: number): WorkerStart {
    const { count, mode } = this.#plan;
    return {
      ...{ number, count },
      config: this.#configOf(number),
      mode: number === 1 ? mode : "read",
      userFolder: this.#environment.userFolder,
      hasDevnet: this.#devnet !== undefined,
    };
  }

  /** The work of this process, and the work that only the first one does, is off in the others. */
  #configOf(number: number): Config {
    const config = this.#config;
    const keys = { keyStore: keyStoreOf(config), keysFile: keysFileOf(config) };
    const own = { ...keys, adminPort: 0, stopDelay: 0 };
    return { ...config, ...own, ...(number > 1 && { liteserverPort: undefined }) };
  }

  #relay(worker: WorkerProcess): void {
    if (!this.#devnet) return;
    const relay = new DevnetRelay(this.#devnet, (messages) => worker.channel.tell("devnet", messages));
    this.#relays.set(worker, relay);
  }

  #sideOf(worker: WorkerProcess): SupervisorSide {
    const others = () => this.#ready.filter((other) => other !== worker);
    return {
      lease: (charge) => this.#windows.lease(charge),
      giveBack: (unused) => this.#windows.giveBack(unused),
      owe: ({ bucket, ms, maxMs }) => this.#windows.owe(bucket, ms, maxMs),
      addUsage: ({ day, rows }) => this.#usage!.add(day, rows),
      usageTotals: ({ month, keys }) => this.#usage!.totals(month, keys),
      readUsage: ({ range, limit }) => this.#usage!.read(range, limit),
      exchange: ({ owner, own, used }) => this.#holdings.exchange(worker.instance, owner, own, used),
      reachedByOthers: async (reach) => {
        await Promise.all(
          others().map((other) => other.askWithin(reach.maxMs + patienceMs, "reached", reach)),
        );
      },
      callsOfOthers: async (asked) => {
        const lists = others().map((other) => other.askWithin(patienceMs, "calls", asked));
        return newestOf(
          (await Promise.all(lists)).map((list) => list ?? []),
          asked,
        );
      },
      artifacts: async (change) => {
        await Promise.all(others().map((other) => other.askWithin(patienceMs, "artifacts", change)));
      },
      connections: (open) => {
        worker.connections = open;
        this.#mean.changed();
      },
      devnet: (messages) => this.#relays.get(worker)?.take(messages),
    };
  }
}
