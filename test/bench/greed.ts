import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { externalMessage } from "../../server/devnet/wallets/compose.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { bocText } from "../helpers/contracts/contracts.js";
import { dearContract } from "../helpers/contracts/dear-contracts.js";
import { attack, startGreedService } from "../helpers/http/greedy-connections.js";
import { someAddress } from "../helpers/index/detection.js";
import { attackerKey, jsonBody, postCalls } from "../helpers/services/proxied-service.js";
import { until } from "../helpers/until.js";
import type { Row, Suite } from "./harness.js";
import { type Ask, addressOf, emulateUncached, p95, runUncached } from "./servers/waiting.js";

type Service = Awaited<ReturnType<typeof startGreedService>>;

const connections = 100;
/** Enough for the first ones, which meet the connections as they arrive, to be fewer than one in twenty. */
const calls = 400;
/** Calls beside expensive contracts, a pause apart, so that they last for some seconds of the attack. */
const spacedCalls = 200;
const pauseMs = 10;
/** Until the queues of the attack are as long as they become. */
const settleMs = 3000;
const dear = someAddress(0x77);
const goal = { floor: 0.2, aim: 0.5 };

let started: Service | undefined;

/** Units are 95th percentiles: the ratio compares another caller alone with one beside the attack. */
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
        baseline: async () => ({ units: 1, micros: await p95(info, calls, () => {}) }),
        goal,
      },
      ...[burn, emulate].flatMap((ask) =>
        [10, 64].flatMap((addresses) =>
          [{ "X-API-Key": attackerKey }, {}].map((caller) => dearRow(service, { addresses, ask, caller })),
        ),
      ),
    ];
  },
  close() {
    started?.service.send("SIGKILL");
    started = undefined;
  },
};

type Attacker = (service: Service, number: number) => Promise<Response>;
type DearAttack = { addresses: number; ask: Attacker; caller: Record<string, string> };
const burn: Attacker = ({ url }, number) => runUncached(url, dear.toRaw(), "burn", addressOf(number));
const emulate: Attacker = ({ url }, number) =>
  emulateUncached(url, bocText(externalMessage(dear, Cell.empty)), addressOf(number));

/** Each address has one call per second that burns a million gas, or many transactions of that. */
function dearRow(service: Service, { addresses, ask, caller }: DearAttack): Row {
  const seqno: Ask = () => runUncached(service.url, dear.toRaw(), "seqno", caller);
  const spaced = () => p95(seqno, spacedCalls, () => sleep(pauseMs));
  const name = ask === burn ? "get-methods" : "emulations";
  return {
    title: `seqno ${"X-API-Key" in caller ? "with" : "without"} a key, dear ${name} of ${addresses} addresses`,
    baseline: async () => ({ units: 1, micros: await spaced() }),
    async ours() {
      const timers = Array.from({ length: addresses }, (_, number) =>
        setInterval(() => void ask(service, number).catch(() => {}), 1000),
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

async function beside(service: Service, ask: Ask): Promise<{ units: number; micros: number }> {
  const { url, batch } = service;
  const sockets = await Promise.all(
    Array.from({ length: connections }, (_, number) =>
      attack({ url, batch: batch(100, number), caller: `X-Forwarded-For: 10.0.0.${number}`, number }),
    ),
  );
  const micros = await p95(ask, calls, () => readALittle(sockets));
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
