import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Blockchain } from "@ton/sandbox";
import type { startDevnet } from "../../server/process/workers/devnet-library.js";
import { madeCatalogue } from "../helpers/abi/made-catalogue.js";
import { sized } from "../helpers/effort.js";
import { until } from "../helpers/until.js";
import { columns, median, type Suite } from "./harness.js";
import { isBuilt, ours } from "./peers/ours.js";
import { ask } from "./peers/requests.js";
import { type Ready, Server } from "./peers/server.js";

const starts = sized(1, 5);
const library = new URL("../../dist/server/process/workers/devnet-library.js", import.meta.url).href;
const payee = `0:${"12".repeat(32)}`;
/** Contracts of a catalogue, whose reading is not part of a start. */
const catalogued = 1000;
const aims = "aims of a start: v2 after 700 ms, with 150 MB then and 350 MB when v3 answers";

const testAims = "aims of a devnet for tests: started after 1000 ms with an index, a revert in 20 ms";

export const suite: Suite = {
  title:
    "From the start of a devnet to its first answers, and its memory then, with the first blocks of the build and without",
  rows: () => [],
  async report() {
    if (!isBuilt()) return "there is nothing to start: run npm run build first";
    const cache = mkdtempSync(join(tmpdir(), "tonwire-bench-"));
    try {
      const usual: number[][] = [];
      while (usual.length < starts) usual.push(await start(["--cache", cache]));
      const made = await start(["--cache", "off"]);
      const catalogue = join(cache, "catalogue.json");
      writeFileSync(catalogue, JSON.stringify(madeCatalogue(catalogued)));
      const withCatalogue: number[][] = [];
      while (withCatalogue.length < starts)
        withCatalogue.push(await start(["--cache", cache, "--abi-catalog", catalogue]));
      const head = ["", "v2 ms", "MB", "v3 ms", "MB", "CPU ms"];
      const medians = (rows: readonly number[][]) =>
        made.map((_, column) => median(rows.map((values) => values[column]!)));
      const lines = [
        lineOf("starts", medians(usual)),
        lineOf("without the build's", made),
        lineOf(`with a catalogue of ${catalogued}`, medians(withCatalogue)),
      ];
      const tests = columns([["", "ms"], ...(await testRows())]);
      return `${columns([head, ...lines])}\n${aims}\n\n${tests}\n${testAims}`;
    } finally {
      rmSync(cache, { recursive: true, force: true });
    }
  },
};

async function start(flags: readonly string[]): Promise<number[]> {
  const server = await Server.start(ours(...flags));
  try {
    const v2 = server.ready!;
    const look = () => ask(server, { path: "/api/v3/masterchainInfo" }).catch(() => undefined);
    await until("the index has a block", look);
    const v3 = server.state!();
    return [...numbersOf(v2), ...numbersOf(v3), server.spentMicros()! / 1000];
  } finally {
    await server.close();
  }
}

/** What a test waits for, beside the chain of @ton/sandbox. */
async function testRows(): Promise<string[][]> {
  const { startDevnet: begin } = (await import(library)) as { startDevnet: typeof startDevnet };
  const times = new Map<string, number[]>();
  const timed = async <T>(title: string, work: () => Promise<T>): Promise<T> => {
    const since = performance.now();
    const result = await work();
    times.set(title, [...(times.get(title) ?? []), performance.now() - since]);
    return result;
  };
  for (let round = 0; round < starts; round++) {
    await timed("a sandbox with a wallet", async () => (await Blockchain.create()).treasury("a"));
    await (await timed("startDevnet without an index", () => begin({ index: false }))).close();
    const devnet = await timed("startDevnet", () => begin());
    const call = async <T>(method: string, params: object = {}): Promise<T> => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const headers = { "Content-Type": "application/json", "X-API-Key": devnet.key };
      const answer = await fetch(`${devnet.url}/jsonRPC`, { method: "POST", headers, body });
      return ((await answer.json()) as { result: T }).result;
    };
    for (let times = 0; times < 5; times++) {
      const { id } = await timed("a snapshot", () => call<{ id: string }>("devnet.snapshot"));
      await timed("a payment by the faucet", () => call("devnet.faucet", { address: payee }));
      await timed("a revert of it", () => call("devnet.revert", { id }));
    }
    await devnet.close();
  }
  return [...times].map(([title, values]) => lineOf(title, [median(values)]));
}

function numbersOf({ ms, megabytes }: Ready): [number, number] {
  return [ms, megabytes];
}

function lineOf(title: string, values: readonly number[]): string[] {
  return [title, ...values.map((value) => value.toFixed(0))];
}
