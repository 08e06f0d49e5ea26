import { freePort } from "../helpers/free-port.js";
import { until } from "../helpers/until.js";
import { columns, type Suite } from "./harness.js";
import { isBuilt, ours } from "./peers/ours.js";
import { ask, callV2 } from "./peers/requests.js";
import { Server } from "./peers/server.js";

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
    if (!isBuilt()) return "there is nothing to start: run npm run build first";
    const tables = [];
    for (const index of [false, true]) tables.push(await measureWith(index));
    return tables.join("\n\n");
  },
};

type Head = { last: { seqno: number } };
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
    await service.server.close();
  }
}

type Service = { server: Server; adminUrl: string };

async function start(index: boolean): Promise<Service> {
  const port = await freePort();
  const flags = ["--mining", "manual", "--clock", "fixed", "--index", `${index}`, "--cache", "off"];
  const server = await Server.start(ours(...flags, "--admin-port", `${port}`));
  return { server, adminUrl: `http://127.0.0.1:${port}` };
}

/** Waits until the story is told and the index has the newest block, which it returns. */
function settled({ server }: Service, index: boolean): Promise<{ seqno: number }> {
  const look = async () => {
    const { last } = (await callV2(server, "getMasterchainInfo", {})) as Head;
    const { story_told } = (await callV2(server, "devnet.info", {})) as { story_told: boolean };
    if (!story_told) return undefined;
    if (!index) return last;
    // It refuses as long as the index has no block.
    const indexed = (await ask(server, { path: "/api/v3/masterchainInfo" }).catch(() => undefined)) as
      | Head
      | undefined;
    return indexed && indexed.last.seqno >= last.seqno ? last : undefined;
  };
  return until("the index has every block", look, waitMs);
}

/** Makes the blocks that deliver a transfer; returns the seqno of the newest one. */
async function transfer({ server }: Service, gift: number): Promise<number> {
  const account = (gift % receivers).toString(16).padStart(64, "0");
  await callV2(server, "devnet.faucet", { address: `0:${account}`, amount: "1000000" });
  const { block } = (await callV2(server, "devnet.mine", { blocks: 1 })) as { block: { seqno: number } };
  return block.seqno;
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
