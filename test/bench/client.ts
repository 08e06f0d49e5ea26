import { fileURLToPath } from "node:url";
import { Address } from "@ton/core";
import { TonClient as OriginalTonClient } from "@ton/ton";
import { build } from "esbuild";
import { JsonRpcProvider, Network } from "ethers";
import { createClient as createViemClient, http as viemHttp } from "viem";
import { WebSocket } from "ws";
import { ServerProcess } from "../helpers/servers/process.js";
import { methodName } from "../helpers/servers/record.js";
import type { Contender, Row, Suite } from "./harness.js";

// Measures the processor time of this process; the server runs in another one.

const concurrent = 100;
const closers: (() => void)[] = [];

export const suite: Suite = {
  title: "Client, processor time per call (baseline as named)",
  async rows() {
    const server = closing(await ServerProcess.start("bare"));
    const sockets = closing(await ServerProcess.start("json-socket"));
    const url = `${server.hello.url}/jsonRPC`;
    const lib = await compiledClient();
    return [...byHand(url, lib), ...byOthers(url, lib), ...(await overWebSocket(sockets.hello.url, lib))];
  },
  close() {
    for (const close of closers.splice(0).reverse()) close();
  },
};

const addresses = Array.from({ length: concurrent }, (_, n) =>
  new Address(0, Buffer.alloc(32, n + 1)).toString(),
);

type Ask = (address: string) => Promise<unknown>;

function byHand(url: string, { createCaller, createClient, http }: Compiled): Row[] {
  const client = closing(createClient({ transport: http(url) }));
  const hundreds = closing(createClient({ transport: http(url), batch: { maxCalls: concurrent } }));
  const caller = closing(createCaller({ transport: http(url) }));
  const ask: Ask = (address) => client.getAddressInformation({ address });
  const askByHundreds: Ask = (address) => hundreds.getAddressInformation({ address });
  const askPlainly: Ask = (address) => caller.call(methodName, { address });
  const askByHand: Ask = async (address) => (await post(url, request(address, 1))).result;
  const batchByHand = async () => {
    const answers = await post<Answer[]>(url, addresses.map(request));
    const byId = new Map(answers.map(({ id, result }) => [id, result]));
    return addresses.map((_, id) => byId.get(id));
  };
  return [
    row("one call after the other (fetch by hand)", inTurn(ask), inTurn(askByHand), {
      floor: 0.8,
      aim: 0.91,
    }),
    row("the same by createCaller (fetch by hand)", inTurn(askPlainly), inTurn(askByHand)),
    row("100 at once in batches of 50 (a fetch each)", together(ask), together(askByHand), {
      floor: 15,
      aim: 40,
    }),
    row("100 at once in one batch (a fetch each)", together(askByHundreds), together(askByHand), {
      floor: 15,
      aim: 40,
    }),
    row("100 at once in one batch (that batch by hand)", together(askByHundreds), repeated(batchByHand), {
      floor: 0.65,
      aim: 0.8,
    }),
  ];
}

/** The same calls by generic clients of other chains, and by TON's clients. */
function byOthers(url: string, { createClient, http, TonClient }: Compiled): Row[] {
  const client = closing(createClient({ transport: http(url), batch: { maxCalls: concurrent } }));
  const single = closing(createClient({ transport: http(url), batch: false }));
  const ask: Ask = (address) => client.getAddressInformation({ address });
  const askAlone: Ask = (address) => single.getAddressInformation({ address });
  const viem = (batch: boolean | object): Ask => {
    const { request } = createViemClient({ transport: viemHttp(url, { batch, retryCount: 3 }) });
    return (address) => request({ method: methodName, params: { address } } as never);
  };
  const ethers = (batchMaxCount: number): Ask => {
    const network = new Network("bench", 1);
    // Answers are not cached, as in the other clients.
    const options = { staticNetwork: network, batchMaxCount, batchStallTime: 0, cacheTimeout: -1 };
    const provider = new JsonRpcProvider(url, network, options);
    closers.push(() => provider.destroy());
    return (address) => provider.send(methodName, { address } as never);
  };
  const ours = closing(new TonClient({ endpoint: url }));
  const original = new OriginalTonClient({ endpoint: url });
  const parsed = addresses.map((each) => Address.parse(each));
  return [
    row("one call after the other (viem)", inTurn(askAlone), inTurn(viem(false))),
    row("100 at once in one batch (viem)", together(ask), together(viem({ batchSize: concurrent }))),
    row("one call after the other (ethers)", inTurn(askAlone), inTurn(ethers(1))),
    row("100 at once in one batch (ethers)", together(ask), together(ethers(concurrent))),
    row(
      "one balance after the other (@ton/ton)",
      inTurn((each) => ours.getBalance(Address.parse(each))),
      inTurn((each) => original.getBalance(Address.parse(each))),
    ),
    row(
      "100 balances at once (@ton/ton)",
      all(parsed, (each) => ours.getBalance(each)),
      all(parsed, (each) => original.getBalance(each)),
    ),
  ];
}

async function overWebSocket(url: string, { createClient, webSocket }: Compiled): Promise<Row[]> {
  const client = closing(createClient({ transport: webSocket(url) }));
  const hundreds = closing(createClient({ transport: webSocket(url), batch: { maxCalls: concurrent } }));
  const byHand = await socketByHand(url);
  return [
    row(
      "one call after the other over WebSocket (ws by hand)",
      inTurn((address) => client.getAddressInformation({ address })),
      inTurn(byHand),
    ),
    row(
      "100 at once over WebSocket in one batch (a message each by hand)",
      together((address) => hundreds.getAddressInformation({ address })),
      together(byHand),
    ),
  ];
}

/** A minimal client: a map from ids to waiting calls. */
async function socketByHand(url: string): Promise<Ask> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await new Promise((opened) => socket.once("open", opened));
  closers.push(() => socket.close());
  const waiting = new Map<number, (result: unknown) => void>();
  socket.on("message", (data) => {
    const { id, result } = JSON.parse(String(data)) as Answer;
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  let lastId = 0;
  return (address) =>
    new Promise((resolve) => {
      waiting.set(++lastId, resolve);
      socket.send(JSON.stringify(request(address, lastId)));
    });
}

type Answer = { id: number; result: unknown };

function request(address: string, id: number) {
  return { jsonrpc: "2.0", id, method: methodName, params: { address } };
}

/** A minimal client. */
async function post<T = Answer>(url: string, body: object): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error("the call was refused");
  return (await response.json()) as T;
}

function closing<T extends { close(): void }>(client: T): T {
  closers.push(() => client.close());
  return client;
}

function row(title: string, ours: Contender, baseline: Contender, goal?: Row["goal"]): Row {
  return { title, ours, baseline, ...(goal && { goal }) };
}

function inTurn(ask: Ask): Contender {
  return spending(async () => {
    for (const address of addresses) await ask(address);
  });
}

function together(ask: Ask): Contender {
  return all(addresses, ask);
}

function all<T>(items: readonly T[], ask: (item: T) => Promise<unknown>): Contender {
  return repeated(() => Promise.all(items.map(ask)));
}

function repeated(work: () => Promise<unknown>): Contender {
  return spending(async () => {
    for (let i = 0; i < 5; i++) await work();
  }, 5);
}

function spending(work: () => Promise<void>, times = 1): Contender {
  return async () => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return { units: concurrent * times, micros: user + system };
  };
}

type Compiled = typeof import("../../client/node.js") & typeof import("../../client/ton/index.js");

/** Plain JavaScript, as in applications: the code tsx adds to keep function names would distort the result. */
async function compiledClient(): Promise<Compiled> {
  const folder = fileURLToPath(new URL("../../client/", import.meta.url));
  const outfile = fileURLToPath(new URL("../../dist/bench/client.js", import.meta.url));
  await build({
    stdin: {
      contents: 'export * from "./node.ts"; export * from "./ton/index.ts";',
      resolveDir: folder,
      loader: "ts",
    },
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "es2022",
    logLevel: "error",
  });
  return (await import(outfile)) as Compiled;
}
