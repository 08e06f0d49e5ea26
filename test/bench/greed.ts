import type { Socket } from "node:net";
import {
  attack,
  attackerKey,
  jsonBody,
  postCalls,
  startGreedService,
} from "../helpers/greedy-connections.js";
import { until } from "../helpers/until.js";
import type { Suite } from "./harness.js";

type Service = Awaited<ReturnType<typeof startGreedService>>;

const connections = 100;
/** So many that the first ones, which meet the connections as they arrive, are fewer than one in twenty. */
const calls = 400;

let started: Service | undefined;

/** Units are 95th percentiles, so the ratio is that of another caller alone and beside the connections. */
export const suite: Suite = {
  title:
    "Greed: a caller's p95 beside 100 connections that ask for the most and hardly read (baseline: alone)",
  async rows() {
    const service = await startGreedService();
    started = service;
    return [
      {
        title: "getMasterchainInfo, p95",
        ours: () => beside(service),
        baseline: async () => ({ units: 1, micros: await p95(service, () => {}) }),
        goal: { floor: 0.2, aim: 0.5 },
      },
    ];
  },
  close() {
    started?.service.send("SIGKILL");
    started = undefined;
  },
};

async function beside(service: Service): Promise<{ units: number; micros: number }> {
  const { url, batch } = service;
  const sockets = await Promise.all(
    Array.from({ length: connections }, (_, number) =>
      attack({ url, batch: batch(100, number), caller: `X-Forwarded-For: 10.0.0.${number}`, number }),
    ),
  );
  const micros = await p95(service, () => readALittle(sockets));
  for (const socket of sockets) socket.destroy();
  await until("what the connections held is free", async () => {
    const answer = await postCalls(url, batch(10, 0), { ...jsonBody, "X-API-Key": attackerKey });
    return ((await answer.json()) as { ok: boolean }[]).every(({ ok }) => ok);
  });
  return { units: 1, micros };
}

/** Every second connection reads a chunk; the others read nothing. */
function readALittle(sockets: readonly Socket[]): void {
  for (const socket of sockets.filter((_, i) => i % 2 === 0)) socket.resume();
}

async function p95({ url }: Service, beforeEach: () => void): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < calls; i++) {
    beforeEach();
    const start = performance.now();
    const response = await fetch(`${url}/api/v2/getMasterchainInfo`);
    await response.text();
    if (response.status !== 200) throw new Error(`the other caller is answered with ${response.status}`);
    times.push(1000 * (performance.now() - start));
  }
  return times.sort((a, b) => a - b)[Math.floor(0.95 * calls)]!;
}
