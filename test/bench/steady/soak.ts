import { setTimeout as sleep } from "node:timers/promises";
import { columns } from "../harness.js";
import { callV2 } from "../peers/requests.js";
import { MixedLoad } from "./load.js";
import { type Sample, sampleOf } from "./sample.js";
import { type SteadyService, settled, startSteady } from "./service.js";

/** Between blocks, so that the machine has time for others. */
const pauseMs = 50;
const samples = 12;
const barWidth = 30;

/** Memory, handles and lag under a mixed load of this many minutes, as a table. */
export async function soak(minutes: number): Promise<string> {
  const service = await startSteady(true);
  try {
    const first = await settled(service, true);
    const load = new MixedLoad(service, await walletOf(service), first);
    await load.prepare();
    const take = async () => ({ ...(await sampleOf(service)), blocks: load.blocks, calls: load.calls });
    const taken = [await take()];
    const start = performance.now();
    while (taken.length <= samples) {
      await load.step();
      await sleep(pauseMs);
      const elapsed = (performance.now() - start) / 60_000;
      if (elapsed >= (minutes * taken.length) / samples) taken.push(await take());
    }
    load.close();
    return `${tableOf(taken)}\n${failuresOf(load)}`;
  } finally {
    await service.server.close();
  }
}

async function walletOf({ server }: SteadyService): Promise<string> {
  const { wallets } = (await callV2(server, "devnet.info", {})) as { wallets: { address: string }[] };
  return wallets[0]!.address;
}

type Taken = Sample & { blocks: number; calls: number };

function tableOf(taken: readonly Taken[]): string {
  const head = [
    "minute",
    "blocks",
    "calls",
    "CPU s",
    "MB",
    "heap used",
    "external",
    "files",
    "threads",
    "lag ms 99%",
    "most",
    "",
  ];
  const most = Math.max(...taken.map(({ resident }) => resident));
  const lines = taken.map((sample) => [
    ((sample.at - taken[0]!.at) / 60_000).toFixed(1),
    ...[
      sample.blocks,
      sample.calls,
      sample.cpuSeconds,
      sample.resident,
      sample.heapUsed,
      sample.external,
    ].map((value) => value.toFixed(0)),
    ...[sample.files, sample.threads].map(String),
    ...[sample.lag, sample.mostLag].map((ms) => ms.toFixed(0)),
    "#".repeat(Math.round((barWidth * sample.resident) / most)).padEnd(barWidth),
  ]);
  return columns([head, ...lines]);
}

function failuresOf({ failures, calls }: MixedLoad): string {
  if (failures.size === 0) return `no call of ${calls} failed`;
  return [...failures].map(([text, count]) => `${count} of ${calls} calls failed: ${text}`).join("\n");
}
