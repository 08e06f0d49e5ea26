import { sized } from "../helpers/effort.js";
import { type Contender, columns, type Row, type Suite } from "./harness.js";
import { isBuilt, ours } from "./peers/ours.js";
import { Server } from "./peers/server.js";
import { callsOver, type Request } from "./processes/calls.js";

const address = "0:3333333333333333333333333333333333333333333333333333333333333333";
const calls = sized(200, 12_000);
const batch = 100;

/** A service of one process and one of two; with `limited` ones callers have a limit, which is never reached. */
type Pair = { one: Server; two: Server };

let pairs: { free: Pair; limited: Pair } | undefined;

export const suite: Suite = {
  title: "Two processes beside one, with the program that calls on the same cores (baseline: one process)",
  needs: "the built service (npm run build)",
  async rows() {
    if (!isBuilt()) return [];
    pairs = { free: await startPair(), limited: await startPair("--anonymous-rps", "1000000") };
    const { free, limited } = pairs;
    const get = { path: `/api/v2/getAddressInformation?address=${address}` };
    const call = (id: number) => ({
      jsonrpc: "2.0",
      id,
      method: "getAddressInformation",
      params: { address },
    });
    const post = { path: "/jsonRPC", body: call(1) };
    const batched = { path: "/jsonRPC", body: Array.from({ length: batch }, (_, id) => call(id)) };
    return [
      ...(await rowsOf("GET, cached", free, () => get, 1.3)),
      ...(await rowsOf("POST, cached", free, () => post, 1.3)),
      ...(await rowsOf("GET, cached, callers with a limit", limited, () => get, 1.3)),
      ...(await rowsOf(`POST, batch of ${batch}, cached`, free, () => batched, 1, batch)),
      ...(await rowsOf("GET of different accounts, not cached", free, differentAccounts(), 1)),
    ];
  },
  async report() {
    if (!pairs) return undefined;
    return reckoned(pairs.free);
  },
  async close() {
    const all = pairs ? [pairs.free, pairs.limited].flatMap(({ one, two }) => [one, two]) : [];
    await Promise.all(all.map((server) => server.close()));
    pairs = undefined;
  },
};

async function startPair(...flags: string[]): Promise<Pair> {
  const settings = ["--index", "false", "--story", "false", "--mining", "manual", "--cache", "off", ...flags];
  const one = await Server.start(ours(...settings));
  const two = await Server.start(ours(...settings, "--processes", "2"));
  // The first process answers while the second one starts.
  await two.rests();
  return { one, two };
}

/** Processor time of all its processes, microseconds. */
function spent(server: Server): number {
  return server.spentMicros() ?? Number.NaN;
}

/**
 * Two rows: calls per second, by the clock, and processor time per call. Each process compiles the code that answers
 * before they are measured.
 */
async function rowsOf(
  title: string,
  { one, two }: Pair,
  next: () => Request,
  floor: number,
  units = 1,
): Promise<Row[]> {
  const amount = Math.ceil(calls / units);
  await callsOver(one.origin, next, 2 * amount);
  await callsOver(two.origin, next, 4 * amount);
  const clock =
    (server: Server): Contender =>
    async () => {
      const start = performance.now();
      await callsOver(server.origin, next, amount);
      return { units: amount * units, micros: (performance.now() - start) * 1000 };
    };
  const time =
    (server: Server): Contender =>
    async () => {
      const before = spent(server);
      await callsOver(server.origin, next, amount);
      return { units: amount * units, micros: spent(server) - before };
    };
  return [
    {
      title: `${title}: calls per second`,
      ours: clock(two),
      baseline: clock(one),
      goal: { floor, aim: 1.5 },
    },
    {
      title: `${title}: processor time`,
      ours: time(two),
      baseline: time(one),
      goal: { floor: 0.95, aim: 1 },
    },
  ];
}

const machines = [2, 4, 16];

/**
 * Reckons larger machines: calls are independent, and nothing is shared but the socket that accepts connections and, for
 * callers with a limit, one question for many calls. So a process answers as many calls as one alone, less what the
 * second one costs here.
 */
async function reckoned({ one, two }: Pair): Promise<string> {
  const get = { path: `/api/v2/getAddressInformation?address=${address}` };
  const perCall = async (server: Server) => {
    const before = spent(server);
    await callsOver(server.origin, () => get, 4 * calls);
    return (spent(server) - before) / (4 * calls);
  };
  const [alone, beside] = [await perCall(one), await perCall(two)];
  const line = (cores: number) => [
    `${cores} cores`,
    ...[cores, cores - 1].map((processes) =>
      Math.round((processes * 1e6) / Math.max(alone, beside)).toLocaleString("en"),
    ),
  ];
  return [
    "Reckoned from the processor time of a cached GET, with the callers on another machine, calls per second:",
    columns([["", "database elsewhere", "database here"], ...machines.map(line)]),
  ].join("\n");
}

/** Another account for each call, so that none is cached. */
function differentAccounts(): () => Request {
  let last = 0;
  return () => ({
    path: `/api/v2/getAddressInformation?address=0:${(++last).toString(16).padStart(64, "0")}`,
  });
}
