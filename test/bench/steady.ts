import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "../helpers/until.js";
import { columns, type Suite } from "./harness.js";

const main = join(fileURLToPath(new URL("../..", import.meta.url)), "dist/server/main.js");
const key = "key-of-this-benchmark";
/** An hour of blocks at the devnet's interval, and how often memory is read. */
const blocks = 3600;
const sampleEvery = 450;
/** The same accounts receive again and again. */
const receivers = 100;
/** Of the second half's growth: what blocks and their rows take is kept in memory on purpose. */
const steadyKbPerBlock = 16;
const barWidth = 40;
const waitMs = 120_000;
const mb = 2 ** 20;

export const suite: Suite = {
  title: "Memory of the built service over an hour of a devnet's blocks, a transfer in every other one, MB",
  rows: () => [],
  async report() {
    if (!existsSync(main)) return "there is nothing to start: run npm run build first";
    const tables = [];
    for (const index of [false, true]) tables.push(await measureWith(index));
    return tables.join("\n\n");
  },
};

type Sample = { block: number; rss: number; used: number; heap: number; external: number };

async function measureWith(index: boolean): Promise<string> {
  const service = await start(index);
  try {
    const samples: Sample[] = [];
    let { seqno } = await settled(service, index);
    samples.push(await memoryOf(service, 0));
    const first = seqno;
    for (let gift = 0, next = sampleEvery; next <= blocks; gift++) {
      seqno = await transfer(service, gift);
      if (seqno - first < next) continue;
      await settled(service, index);
      samples.push(await memoryOf(service, seqno - first));
      next += sampleEvery;
    }
    return tableOf(index, samples);
  } finally {
    await service.close();
  }
}

type Service = { url: string; adminUrl: string; close(): Promise<void> };

async function start(index: boolean): Promise<Service> {
  const args = ["start", "--mining", "manual", "--clock", "fixed", "--index", String(index)];
  const child = spawn(process.execPath, [main, ...args, "--port", "0"], {
    env: {
      ...process.env,
      ...{ TONWIRE_CACHE: "off", TONWIRE_DEVNET_KEY: key, TONWIRE_LOG_LEVEL: "error" },
      TONWIRE_ADMIN_PORT: String(20_000 + (process.pid % 20_000)),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const printed = textOf(child);
  const found = (pattern: RegExp) => () => pattern.exec(printed())?.[1];
  const url = await until("it listens", found(/serves devnet at (\S+)\n/), waitMs);
  const adminUrl = await until("it has metrics", found(/metrics and status at (\S+)\n/), waitMs);
  return {
    url,
    adminUrl,
    async close() {
      const closed = once(child, "close");
      child.kill();
      await closed;
    },
  };
}

function textOf(child: ChildProcess): () => string {
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (more) => {
    text += more;
  });
  return () => text;
}

/** Waits until the story is told and the index has the newest block, which it returns. */
function settled({ url }: Service, index: boolean): Promise<{ seqno: number }> {
  const look = async () => {
    const { last } = await call<{ last: { seqno: number } }>(url, "getMasterchainInfo", {});
    const { story_told } = await call<{ story_told: boolean }>(url, "devnet.info", {});
    if (!story_told) return undefined;
    if (!index) return last;
    const response = await fetch(`${url}/api/v3/masterchainInfo`, { headers: { "X-API-Key": key } });
    const indexed = response.ok ? ((await response.json()) as { last: { seqno: number } }) : undefined;
    return indexed && indexed.last.seqno >= last.seqno ? last : undefined;
  };
  return until("the index has every block", look, waitMs);
}

/** Makes the blocks that deliver a transfer; returns the seqno of the newest one. */
async function transfer({ url }: Service, gift: number): Promise<number> {
  const account = (gift % receivers).toString(16).padStart(64, "0");
  await call(url, "devnet.faucet", { address: `0:${account}`, amount: "1000000" });
  const { block } = await call<{ block: { seqno: number } }>(url, "devnet.mine", { blocks: 1 });
  return block.seqno;
}

async function call<Result>(url: string, method: string, params: object): Promise<Result> {
  const response = await fetch(`${url}/jsonRPC`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-Key": key },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result: Result; error?: { message: string } };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** Resident of the whole process; the rest is of the thread that serves. */
async function memoryOf({ adminUrl }: Service, block: number): Promise<Sample> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^${name}(?:{[^}]*})? (\\S+)$`, "m").exec(text)?.[1]) / mb;
  return {
    block,
    rss: read("process_resident_memory_bytes"),
    used: read("nodejs_heap_size_used_bytes"),
    heap: read("nodejs_heap_size_total_bytes"),
    external: read("nodejs_external_memory_bytes"),
  };
}

function tableOf(index: boolean, samples: readonly Sample[]): string {
  const head = ["blocks", "resident", "heap used", "heap", "external", ""];
  const most = Math.max(...samples.map(({ rss }) => rss));
  const bar = (rss: number) => "#".repeat(Math.round((barWidth * rss) / most)).padEnd(barWidth);
  const lines = samples.map(({ block, rss, used, heap, external }) => [
    String(block),
    ...[rss, used, heap, external].map((value) => value.toFixed(0)),
    bar(rss),
  ]);
  const slope = (slopeOf(samples.slice(samples.length >> 1)) * mb) / 1024;
  const verdict = slope <= steadyKbPerBlock ? "steady" : `not steady, the limit is ${steadyKbPerBlock}`;
  const grown = `second half: ${slope.toFixed(1)} kB per block (${verdict})`;
  return `${index ? "with" : "without"} index\n${columns([head, ...lines])}\n${grown}`;
}

/** Megabytes per block, by least squares: single readings depend on when garbage was collected. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(samples.map(({ block }) => block)), mean(samples.map(({ rss }) => rss))];
  const covariance = samples.reduce((sum, { block, rss }) => sum + (block - x) * (rss - y), 0);
  return covariance / samples.reduce((sum, { block }) => sum + (block - x) ** 2, 0);
}
