import { fileURLToPath } from "node:url";
import { Address } from "@ton/core";
import { TonClient as OriginalTonClient } from "@ton/ton";
import { build } from "esbuild";
import type { Contender, Row, Suite } from "./harness.js";
import { ServerProcess } from "./servers/process.js";
import { methodName } from "./servers/record.js";

// What counts is the processor time of this process: the server is in one of its own.

const concurrent = 100;
let server: ServerProcess | undefined;
const closers: (() => void)[] = [];

export const suite: Suite = {
  title: "Client, processor time per call (baseline as named)",
  async rows() {
    server = await ServerProcess.start("bare");
    const url = `${server.hello.url}/jsonRPC`;
    const { createCaller, createClient, http, TonClient } = await compiledClient();
    const client = createClient({ transport: http(url) });
    const caller = createCaller({ transport: http(url) });
    const ours = new TonClient({ endpoint: url });
    const original = new OriginalTonClient({ endpoint: url });
    closers.push(client.close, caller.close, () => ours.close());
    const parsed = addresses.map((each) => Address.parse(each));
    const ask = (address: string) => client.getAddressInformation({ address });
    const askPlainly = (address: string) => caller.call(methodName, { address });
    const askByHand = (address: string) => fetchOne(url, address);
    return [
      row("one call after the other (fetch by hand)", inTurn(ask), inTurn(askByHand), {
        floor: 0.8,
        aim: 0.91,
      }),
      row("the same by createCaller (fetch by hand)", inTurn(askPlainly), inTurn(askByHand)),
      row("100 at once (a fetch each)", together(ask), together(askByHand), { floor: 15, aim: 40 }),
      row(
        "100 balances at once (@ton/ton)",
        all(parsed, (each) => ours.getBalance(each)),
        all(parsed, (each) => original.getBalance(each)),
      ),
      row(
        "one balance after the other (@ton/ton)",
        inTurn((each) => ours.getBalance(Address.parse(each))),
        inTurn((each) => original.getBalance(Address.parse(each))),
      ),
    ];
  },
  close() {
    for (const close of closers.splice(0)) close();
    server?.close();
    server = undefined;
  },
};

const addresses = Array.from({ length: concurrent }, (_, n) =>
  new Address(0, Buffer.alloc(32, n + 1)).toString(),
);

/** The least one can write. */
async function fetchOne(url: string, address: string): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: methodName, params: { address } }),
  });
  const { ok, result } = (await response.json()) as { ok: boolean; result: unknown };
  if (!ok) throw new Error("the call was refused");
  return result;
}

function row(title: string, ours: Contender, baseline: Contender, goal?: Row["goal"]): Row {
  return { title, ours, baseline, ...(goal && { goal }) };
}

function inTurn(ask: (address: string) => Promise<unknown>): Contender {
  return spending(async () => {
    for (const address of addresses) await ask(address);
  });
}

function together(ask: (address: string) => Promise<unknown>): Contender {
  return all(addresses, ask);
}

function all<T>(items: readonly T[], ask: (item: T) => Promise<unknown>): Contender {
  return spending(async () => {
    for (let i = 0; i < 5; i++) await Promise.all(items.map(ask));
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

type Compiled = typeof import("../../client/node.js") & typeof import("../../client/ton.js");

/** Plain JavaScript, as applications run it: what tsx adds to keep function names would count as ours. */
async function compiledClient(): Promise<Compiled> {
  const folder = fileURLToPath(new URL("../../client/", import.meta.url));
  const outfile = fileURLToPath(new URL("../../dist/bench/client.js", import.meta.url));
  await build({
    stdin: {
      contents: 'export * from "./node.ts"; export * from "./ton.ts";',
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
