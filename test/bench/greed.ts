import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Cell } from "../../server/cells/cell.js";
import { externalMessage } from "../../server/devnet/wallets/compose.js";
import { bocText } from "../helpers/contracts.js";
import { dearContract } from "../helpers/dear-contracts.js";
import { someAddress } from "../helpers/detection.js";
import {
  attack,
  attackerKey,
  jsonBody,
  postCalls,
  startGreedService,
} from "../helpers/greedy-connections.js";
import { until } from "../helpers/until.js";
import type { Row, Suite } from "./harness.js";

type Service = Awaited<ReturnType<typeof startGreedService>>;
type Ask = (call: number) => Promise<Response>;

const connections = 100;
/** So many that the first ones, which meet the connections as they arrive, are fewer than one in twenty. */
const calls = 400;
/** Calls beside dear contracts, a pause apart, so that they last for some seconds of the attack. */
const spacedCalls = 200;
const pauseMs = 10;
/** Until the queues of the attack are as long as they become. */
const settleMs = 3000;
const dear = someAddress(0x77);
const goal = { floor: 0.2, aim: 0.5 };

let started: Service | undefined;

/** Units are 95th percentiles, so the ratio is that of another caller alone and beside the attack. */
export const suite: Suite = {
  title: "Greed: a caller's p95 beside others that ask for the most (baseline: alone)",
  async rows() {
    const service = await startGreedService();
    started = service;
    await service.run("devnet.setCode", { address: dear.toRaw(), code: bocText(await dearContract(1)) });
    await service.run("devnet.setBalance", { address: dear.toRaw(), balance: "1000000000000000" });
    const info: Ask = () => fetch(`${service.url}/api/v2/getMasterchainInfo`);
    return [
      {
        title: "getMasterchainInfo, 100 connections that hardly read",
        ours: () => beside(service, info),
        baseline: async () => ({ units: 1, micros: await p95(info, () => {}, calls) }),
        goal,
      },
      dearRow(service, { addresses: 10, ask: burn, caller: { "X-API-Key": attackerKey } }),
      dearRow(service, { addresses: 10, ask: burn, caller: {} }),
      dearRow(service, { addresses: 64, ask: burn, caller: {} }),
      dearRow(service, { addresses: 10, ask: emulate, caller: {} }),
      dearRow(service, { addresses: 64, ask: emulate, caller: {} }),
    ];
  },
  close() {
    started?.service.send("SIGKILL");
    started = undefined;
  },
};

type Attacker = (service: Service, number: number, call: number) => Promise<Response>;
type DearAttack = { addresses: number; ask: Attacker; caller: Record<string, string> };

/** Each address has one call per second that burns a million gas, or many transactions of that. */
function dearRow(service: Service, { addresses, ask, caller }: DearAttack): Row {
  const seqno: Ask = (call) => runMethod(service, "seqno", call, caller);
  const spaced = () => p95(seqno, () => sleep(pauseMs), spacedCalls);
  const name = ask === burn ? "get-methods" : "emulations";
  return {
    title: `seqno ${"X-API-Key" in caller ? "with" : "without"} a key, dear ${name} of ${addresses} addresses`,
    baseline: async () => ({ units: 1, micros: await spaced() }),
    async ours() {
      let call = 0;
      const timers = Array.from({ length: addresses }, (_, number) =>
        setInterval(() => void ask(service, number, call++).catch(() => {}), 1000),
      );
      await sleep(settleMs);
      const micros = await spaced();
      for (const timer of timers) clearInterval(timer);
      await sleep(settleMs);
      return { units: 1, micros };
    },
    goal,
  };
}

/** Arguments make calls different, so that they are not cached. */
let argument = 0;
function runMethod({ url }: Service, method: string, _: number, caller: Record<string, string>) {
  const body = { address: dear.toRaw(), method, stack: [["num", `${++argument}`]] };
  const headers = { ...jsonBody, ...caller };
  return fetch(`${url}/api/v2/runGetMethod`, { method: "POST", body: JSON.stringify(body), headers });
}

function burn(service: Service, number: number, call: number): Promise<Response> {
  return runMethod(service, "burn", call, { "X-Forwarded-For": `10.0.${number}.1` });
}

function emulate({ url }: Service, number: number): Promise<Response> {
  const boc = bocText(externalMessage(dear, Cell.empty));
  const body = JSON.stringify({ boc, supported_action_types: [`v${++argument}`] });
  const headers = { ...jsonBody, "X-Forwarded-For": `10.0.${number}.1` };
  return fetch(`${url}/api/emulate/v1/emulateTrace`, { method: "POST", body, headers });
}

async function beside(service: Service, ask: Ask): Promise<{ units: number; micros: number }> {
  const { url, batch } = service;
  const sockets = await Promise.all(
    Array.from({ length: connections }, (_, number) =>
      attack({ url, batch: batch(100, number), caller: `X-Forwarded-For: 10.0.0.${number}`, number }),
    ),
  );
  const micros = await p95(ask, () => readALittle(sockets), calls);
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

async function p95(ask: Ask, beforeEach: () => unknown, count: number): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < count; call++) {
    await beforeEach();
    const start = performance.now();
    const response = await ask(call);
    await response.text();
    if (response.status !== 200) throw new Error(`the other caller is answered with ${response.status}`);
    times.push(1000 * (performance.now() - start));
  }
  return times.sort((a, b) => a - b)[Math.floor(0.95 * count)]!;
}
