// Entry of a process that answers calls, started by the supervisor of a service: it does what that asks for.
// Module state: the entry of a process.

import { LeasedCounters } from "../../access/limits/leased-counters.js";
import type { LeaseSource } from "../../access/limits/windows.js";
import { ConfigError } from "../../config/settings.js";
import { isSetupError } from "../../errors.js";
import { Channel, type ChannelMessage, type Handlers } from "../../os/channel/channel.js";
import { newestOf, SiblingAnswers, type Siblings } from "../context/siblings.js";
import { createService, type Service } from "../service/service.js";
import { outliveTerminal } from "../stop-signals.js";
import { RelayedDevnet } from "./devnet-relay.js";
import type { StartFailure, SupervisorSide, WorkerSide, WorkerStart } from "./messages.js";
import type { Listens } from "./worker-process.js";

/** How often the supervisor learns of a changed number of connections. */
const connectionsMs = 250;

let service: Service | undefined;
const answers = new SiblingAnswers();
const devnet = new RelayedDevnet((messages) => supervisor.tell("devnet", messages));

const handlers: WorkerSide = {
  start,
  leave: () => service?.leave(),
  close: (signal) => service?.close(signal),
  reload: (next) =>
    service?.reload(() => {
      if ("length" in next) throw new ConfigError([...next]);
      return next;
    }),
  report: () => service!.report(),
  reached: (reach) => answers.reached(reach),
  calls: (asked) => answers.calls(asked),
  artifacts: (change) => answers.artifacts(change),
  meanConnections: (mean) => answers.meanConnections(mean),
  devnet: (messages) => devnet.take(messages),
};

/** A supervisor that has ended ends this process, too. */
function send(messages: ChannelMessage[] | Listens): void {
  process.send?.(messages, undefined, undefined, () => {});
}

const supervisor = new Channel<SupervisorSide>({ send, handlers: handlers satisfies Handlers });

async function start({
  config,
  mode,
  hasDevnet,
  userFolder,
  ...place
}: WorkerStart): ReturnType<WorkerSide["start"]> {
  service = createService(
    config,
    { userFolder, siblings: siblingsOf(place), ...(hasDevnet && { devnet }) },
    mode,
  );
  try {
    return { listening: await service.listen() };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

function failureOf(error: unknown): StartFailure {
  if (error instanceof ConfigError) return { kind: "config", problems: error.problems };
  if (isSetupError(error)) return { kind: "setup", message: error.message };
  const { message, stack = message } = error as Error;
  return { kind: "other", message: "syscall" in (error as Error) ? message : stack };
}

function siblingsOf(place: Pick<Siblings, "number" | "count">): Siblings {
  const source: LeaseSource = {
    lease: (charge) => supervisor.ask("lease", charge),
    giveBack: (unused) => supervisor.tell("giveBack", unused),
    owe: (bucket, ms, maxMs) => supervisor.ask("owe", { bucket, ms, maxMs }),
  };
  return {
    ...place,
    ...answers.register,
    limits: {
      counters: new LeasedCounters(source, Date.now),
      usage: {
        add: (day, rows) => supervisor.ask("addUsage", { day, rows }),
        totals: (month, keys) => supervisor.ask("usageTotals", { month, keys }),
        read: (range, limit) => supervisor.ask("readUsage", { range, limit }),
        close: async () => {},
      },
      holdings: {
        exchange: (owner, { connections, accounts, firehoses }, used) =>
          supervisor.ask("exchange", { owner, own: { connections, accounts, firehoses }, used }),
      },
    },
    reached: (block, maxMs) => supervisor.ask("reachedByOthers", { block, maxMs }),
    calls: async (own, asked) => newestOf([own, await supervisor.ask("callsOfOthers", asked)], asked),
    changeArtifacts: (change) => supervisor.ask("artifacts", change),
    hasConnections: reportConnections(),
  };
}

/** Reports a number at most once in a while. */
function reportConnections(): (open: number) => void {
  let last = 0;
  let timer: NodeJS.Timeout | undefined;
  return (open) => {
    last = open;
    if (timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      supervisor.tell("connections", last);
    }, connectionsMs).unref();
  };
}

outliveTerminal();
// Terminals and service managers send them to all processes; the supervisor decides which one stops when.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("message", (messages: ChannelMessage[]) => supervisor.take(messages));
send("listens" satisfies Listens);
