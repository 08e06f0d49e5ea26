import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sized } from "../helpers/effort.js";
import { citusUrl, openDivided } from "../helpers/store/cluster-databases.js";
import { type Contender, columns, type Row, type Suite } from "./harness.js";
import { isBuilt, ours, oursAs } from "./peers/ours.js";
import { type Program, Server } from "./peers/server.js";
import { callsOver, type Request } from "./processes/calls.js";

const address = "0:3333333333333333333333333333333333333333333333333333333333333333";
const calls = sized(200, 12_000);
const batch = 100;
/** The nodes are on the same cores, which they keep busy: a second process gains nothing. */
const sameCores = 0.8;
/** Fewer than the calls: a page of an index takes longer. */
const pages = sized(20, 64);

/** The servers that share the calls. */
type Servers = readonly Server[];

/** A service of one process and one of two. */
type Pair = { one: Servers; two: Servers };

/** With `limited` ones callers have a limit, which is never reached. */
let pairs: { free: Pair; limited: Pair } | undefined;
const closers: (() => Promise<void>)[] = [];

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
      ...(await rowsOf(`POST, batch of ${batch}, cached`, free, () => batched, 1, { units: batch })),
      ...(await rowsOf("GET of different accounts, not cached", free, differentAccounts(), 1)),
      ...(citusUrl === undefined ? [] : await rowsOfNodes()),
    ];
  },
  async report() {
    if (!pairs) return undefined;
    return reckoned(pairs.free);
  },
  async close() {
    for (const close of closers.splice(0).reverse()) await close();
    pairs = undefined;
  },
};

async function startPair(...flags: string[]): Promise<Pair> {
  const settings = ["--index", "false", "--story", "false", "--mining", "manual", "--cache", "off", ...flags];
  const one = await started(ours(...settings));
  const two = await started(ours(...settings, "--processes", "2"));
  // The first process answers while the second one starts.
  await two.rests();
  return { one: [one], two: [two] };
}

async function started(program: Program): Promise<Server> {
  const server = await Server.start(program);
  closers.push(() => server.close());
  return server;
}

/** Pages of a divided index: one process that reads from a node, and two that read from a node each. */
async function rowsOfNodes(): Promise<Row[]> {
  const { url, nodes, close } = await openDivided();
  closers.push(close);
  const folder = mkdtempSync(join(tmpdir(), "tonwire-bench-"));
  closers.push(async () => rmSync(folder, { recursive: true }));
  const chain = join(folder, "devnet.json");
  const index = ["--database-url", url, "--cache", "off", "--anonymous-rps", "unlimited"];
  const writer = await started(
    ours(...index, "--mining", "manual", "--liteserver-port", "0", "--liteserver-config", chain),
  );
  await writer.rests();
  const place = ["--network", "devnet", "--global-config", chain];
  const at = (node: string) => started(oursAs("api", ...index, ...place, "--database-read-urls", node));
  const [first, second] = [await at(nodes[0]!), await at(nodes[1]!)];
  await second.rests();
  const pair = { one: [first], two: [first, second] };
  // Another end for each call, behind the last block, so that none is cached.
  let end = 10n ** 15n;
  const page = (filter: string) => () => ({
    path: `/api/v3/transactions?limit=10&end_lt=${++end}${filter}`,
  });
  const own = page(`&account=${address}`);
  return [
    ...(await rowsOf("page of an account, from nodes of a cluster", pair, own, sameCores, { amount: pages })),
    ...(await rowsOf("page of all transactions, from nodes", pair, page(""), sameCores, { amount: pages })),
  ];
}

/** Processor time of all their processes, microseconds. */
function spent(servers: Servers): number {
  return servers.reduce((sum, server) => sum + (server.spentMicros() ?? Number.NaN), 0);
}

async function callsTo(servers: Servers, next: () => Request, amount: number): Promise<void> {
  const each = Math.ceil(amount / servers.length);
  await Promise.all(servers.map(({ origin }) => callsOver(origin, next, each)));
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
  { units = 1, amount = Math.ceil(calls / units) } = {},
): Promise<Row[]> {
  await callsTo(one, next, 2 * amount);
  await callsTo(two, next, 4 * amount);
  const clock =
    (servers: Servers): Contender =>
    async () => {
      const start = performance.now();
      await callsTo(servers, next, amount);
      return { units: amount * units, micros: (performance.now() - start) * 1000 };
    };
  const time =
    (servers: Servers): Contender =>
    async () => {
      const before = spent(servers);
      await callsTo(servers, next, amount);
      return { units: amount * units, micros: spent(servers) - before };
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
      goal: { floor: Math.min(floor, 0.95), aim: 1 },
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
  const perCall = async (servers: Servers) => {
    const before = spent(servers);
    await callsTo(servers, () => get, 4 * calls);
    return (spent(servers) - before) / (4 * calls);
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
