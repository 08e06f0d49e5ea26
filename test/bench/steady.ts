import { sized } from "../helpers/effort.js";
import { columns, type Suite } from "./harness.js";
import { isBuilt } from "./peers/ours.js";
import { type Sample, sampleOf } from "./steady/sample.js";
import { receiverAt, settled, startSteady, transfer } from "./steady/service.js";
import { soak } from "./steady/soak.js";

/** An hour of blocks at the devnet's interval, and how often memory is read. */
const blocks = sized(40, 3600);
const sampleEvery = sized(10, 450);
/** Limit for the growth in the second half: blocks and their rows are kept in memory on purpose. */
const steadyKbPerBlock = 16;
const barWidth = 40;

export const suite: Suite = {
  title:
    "Memory of the built service over an hour of a devnet's blocks, a transfer in every other one, MB; or under mixed calls for --minutes",
  rows: () => [],
  async report({ minutes }) {
    if (!isBuilt()) return "there is nothing to start: run npm run build first";
    if (minutes !== undefined) return soak(minutes);
    const tables = [];
    for (const index of [false, true]) tables.push(await measureWith(index));
    return tables.join("\n\n");
  },
};

async function measureWith(index: boolean): Promise<string> {
  const service = await startSteady(index);
  try {
    const first = await settled(service, index);
    const samples = [{ ...(await sampleOf(service)), blocks: 0 }];
    for (let gift = 0, next = sampleEvery; next <= blocks; gift++) {
      const made = (await transfer(service, receiverAt(gift))) - first;
      if (made < next) continue;
      await settled(service, index);
      samples.push({ ...(await sampleOf(service)), blocks: made });
      next += sampleEvery;
    }
    return tableOf(index, samples);
  } finally {
    await service.server.close();
  }
}

type Made = Sample & { blocks: number };

function tableOf(index: boolean, samples: readonly Made[]): string {
  const head = ["blocks", "resident", "heap used", "heap", "external", ""];
  const most = Math.max(...samples.map(({ resident }) => resident));
  const bar = (resident: number) => "#".repeat(Math.round((barWidth * resident) / most)).padEnd(barWidth);
  const lines = samples.map(({ blocks, resident, heapUsed, heap, external }) => [
    String(blocks),
    ...[resident, heapUsed, heap, external].map((value) => value.toFixed(0)),
    bar(resident),
  ]);
  const slope = slopeOf(samples.slice(samples.length >> 1)) * 1024;
  const verdict = slope <= steadyKbPerBlock ? "steady" : `not steady, the limit is ${steadyKbPerBlock}`;
  const grown = `second half: ${slope.toFixed(1)} kB per block (${verdict})`;
  return `${index ? "with" : "without"} index\n${columns([head, ...lines])}\n${grown}`;
}

/** Megabytes per block, by least squares: single readings depend on when garbage was collected. */
function slopeOf(samples: readonly Made[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(samples.map(({ blocks }) => blocks)), mean(samples.map(({ resident }) => resident))];
  const covariance = samples.reduce((sum, { blocks, resident }) => sum + (blocks - x) * (resident - y), 0);
  return covariance / samples.reduce((sum, { blocks }) => sum + (blocks - x) ** 2, 0);
}
