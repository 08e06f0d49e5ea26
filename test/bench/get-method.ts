import { Agent, request } from "node:http";
import { Address as CoreAddress } from "@ton/core";
import { Executor as BareExecutor } from "@ton/sandbox/dist/executor/Executor.js";
import { serializeBoc } from "../../server/cells/boc.js";
import { beginCell } from "../../server/cells/builder.js";
import { Cell } from "../../server/cells/cell.js";
import { contractCode } from "../../server/chain/devnet/contracts/codes.js";
import { methodId } from "../../server/chain/executor/method-id.js";
import { createLog } from "../../server/log.js";
import { openNetwork } from "../../server/network.js";
import { Parts } from "../../server/parts.js";
import { Address } from "../../shared/values/address.js";
import { base64ToBytes } from "../../shared/values/bytes.js";
import { toCore } from "../executor/core-cell.js";
import { testTime } from "../executor/sample-chain.js";
import type { Contender, Row, Suite } from "./harness.js";
import { ServerProcess } from "./servers/process.js";
import { benchConfig } from "./servers/serve.js";

const parts = new Parts();
let server: ServerProcess | undefined;

export const suite: Suite = {
  title: "Get-methods of the service on a devnet",
  rows: async () => [await runRow(), ...(await latencyRows())],
  async close() {
    server?.close();
    server = undefined;
    await parts.close();
  },
};

/** Calls waiting at a time, as many requests come at once. */
const inFlight = 16;
const wallet = new Address(0, new Uint8Array(32).fill(0x33));
const code = contractCode("wallet v4 r2");
const data = beginCell()
  .storeUint(42, 32)
  .storeUint(698_983_191, 32)
  .storeBytes(new Uint8Array(32).fill(7))
  .storeBit(false)
  .endCell();

async function runRow(): Promise<Row> {
  const config = benchConfig();
  const log = createLog(config.logLevel);
  const { implementations } = await openNetwork({ config, parts, log, now: Date.now });
  const call = newCall();
  await implementations.devnet!.setCode({ address: wallet, code: serializeBoc(code) }, call);
  await implementations.devnet!.setData({ address: wallet, data: serializeBoc(data) }, call);
  const { bytes } = (await implementations.getConfigAll({}, call)).config;
  const params = { address: wallet, method: "seqno", stack: [] };
  return {
    title: "runGetMethod, uncached, 16 at a time (baseline: the emulator's own wrapper, cells ready)",
    async ours() {
      const calls = Array.from({ length: inFlight }, () => implementations.runGetMethod(params, newCall()));
      await Promise.all(calls);
      return inFlight;
    },
    baseline: bareCall(await BareExecutor.create(), Buffer.from(base64ToBytes(bytes)!).toString("base64")),
    goal: { floor: 0.6, aim: 0.8 },
  };
}

function newCall() {
  return { signal: new AbortController().signal, asked: new Set<number>(), options: {} };
}

function bareCall(executor: BareExecutor, config: string): Contender {
  const args = {
    code: toCore(code),
    data: toCore(data),
    methodId: methodId("seqno"),
    stack: [],
    config,
    verbosity: "short" as const,
    address: CoreAddress.parseRaw(wallet.toRaw()),
    unixTime: testTime,
    balance: 0n,
    randomSeed: Buffer.alloc(32),
    gasLimit: 1_000_000n,
    debugEnabled: false,
  };
  return async () => {
    await executor.runGetMethod(args);
    return 1;
  };
}

/** The slowest in a hundred of cached reads, while get-methods wait for every thread that runs them, and without. */
async function latencyRows(): Promise<Row[]> {
  const started = await ServerProcess.start("devnet");
  server = started;
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const post = (method: string, params: object) =>
    send(started, agent, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  const place = async (address: string, contract: { code: Cell; data: Cell }) => {
    for (const [part, cell] of Object.entries(contract))
      await post(`devnet.set${part === "code" ? "Code" : "Data"}`, { address, [part]: boc(cell) });
  };
  await place(wallet.toRaw(), { code, data });
  await place(counter, { code: countdown, data: Cell.empty });
  const read = () => post("getMasterchainInfo", {});
  let asked = 0;
  // Another argument every time, so that no answer is there already.
  const methods = {
    "short ones": () =>
      post("runGetMethod", { address: wallet.toRaw(), method: "seqno", stack: [["num", asked++]] }),
    "long ones": () =>
      post("runGetMethod", { address: counter, method: "x", stack: [["num", 8000 + (asked++ % 500)]] }),
  };
  return Object.entries(methods).map(([kind, runMethod]) => ({
    title: `p99 of cached reads while get-methods, ${kind}, keep the pool busy (baseline: without)`,
    ours: () => during(runMethod, () => slowest(read)),
    baseline: () => slowest(read),
    goal: { floor: 0.5, aim: 0.77 },
  }));
}

const counter = `0:${"44".repeat(32)}`;
/** DROP, then the argument times nothing: some 10 ms. */
const countdown = beginCell().storeBytes(Buffer.from("3090E4", "hex")).endCell();

/** A call always waits beside the one that runs. */
async function during<T>(load: () => Promise<void>, measured: () => Promise<T>): Promise<T> {
  let going = true;
  const loads = Array.from({ length: 3 }, async () => {
    while (going) await load();
  });
  const result = await measured();
  going = false;
  await Promise.all(loads);
  return result;
}

const boc = (cell: Cell) => Buffer.from(serializeBoc(cell)).toString("base64");

async function slowest(read: () => Promise<void>) {
  const times: number[] = [];
  for (let i = 0; i < 1000; i++) {
    const start = performance.now();
    await read();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return { units: 1, micros: times[Math.floor(times.length * 0.99)]! * 1000 };
}

function send({ hello }: ServerProcess, agent: Agent, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { ...hello.headers, "Content-Type": "application/json" };
    const sent = request(`${hello.url}/api/v2/jsonRPC`, { method: "POST", agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`status ${answer.statusCode}`)),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
