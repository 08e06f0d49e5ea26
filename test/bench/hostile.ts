import { setTimeout as sleep } from "node:timers/promises";
import { Executor } from "../../server/chain/executor/executor.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { methodId } from "../../shared/ton/tvm/method-id.js";
import { account, testConfig, testTime } from "../helpers/chain/sample-chain.js";
import { compile } from "../helpers/contracts/tolk.js";
import { sized } from "../helpers/effort.js";
import { someAddress } from "../helpers/index/detection.js";
import { type Ask, p95, runUncached } from "../helpers/servers/waiting.js";
import { columns, type Row, type Suite } from "./harness.js";
import { type Attack, type Attacker, attacks } from "./hostile/attacks.js";
import { behindRow } from "./hostile/behind.js";
import { burning, opcodeNames } from "./hostile/opcodes.js";
import { paidRows } from "./hostile/paid-attacks.js";
import { type HostileService, startHostileService } from "./hostile/service.js";

/** Each calls again as soon as it is answered, or a while later if it was refused. */
const addresses = sized(2, 10);
const calls = sized(2, 100);
const pauseMs = 10;
const settleMs = sized(50, 1000);
const refusedMs = sized(50, 1000);
const seed = new Uint8Array(32);
const gasLimit = 1_000_000;
const harmless = someAddress(0xf0).toRaw();
const usualGoal = { floor: 0.2, aim: 0.5 };

let started: HostileService | undefined;
const paid = paidRows();

/** Units are 95th percentiles: the ratio compares another caller alone with one beside the attack. */
export const suite: Suite = {
  title: `Hostile: p95 of a caller without a key beside ${addresses} addresses that never stop (baseline: alone)`,
  async rows() {
    const service = await startHostileService();
    started = service;
    await service.place(harmless, await compile("get fun seqno(): int { return 7; }"));
    const seqno: Ask = () => runUncached(service.url, harmless, "seqno", {});
    const list: Ask = (call) => fetch(`${service.url}/api/v3/transactions?limit=20&offset=${call}`);
    const beside = attacks.flatMap((attack) => [
      rowOf(service, "seqno", seqno, attack),
      ...(attack.title.startsWith("get-methods") ? [] : [rowOf(service, "a list", list, attack)]),
    ]);
    return [...beside, ...paid.rows, ...[10, 1000].slice(0, sized(1, 2)).map(behindRow)];
  },
  async report() {
    const executor = await Executor.create();
    const lines: string[][] = [];
    for (const name of opcodeNames) lines.push([name, (await msPerLimit(executor, name)).toFixed(0)]);
    return columns([["an instruction", "CPU ms per million gas"], ...lines]);
  },
  close() {
    started?.service.send("SIGKILL");
    started = undefined;
    paid.close();
  },
};

function rowOf(service: HostileService, name: string, ask: Ask, attack: Attack): Row {
  const { title, prepare, goal = usualGoal, count = addresses } = attack;
  const measured = () => p95(ask, calls, () => sleep(pauseMs));
  let prepared: Promise<Attacker> | undefined;
  return {
    title: `${name}, ${title}`,
    baseline: async () => ({ units: 1, micros: await measured() }),
    async ours() {
      prepared ??= prepare(service);
      const attacker = await prepared;
      let isOver = false;
      const asking = Array.from({ length: count }, async (_, address) => {
        while (!isOver) if ((await attacker(address)) === 429) await sleep(refusedMs);
      });
      await sleep(settleMs);
      const micros = await measured();
      isOver = true;
      await Promise.all(asking);
      return { units: 1, micros };
    },
    goal,
  };
}

/** CPU time of a get-method that only repeats an instruction. */
async function msPerLimit(executor: Executor, name: string): Promise<number> {
  const code = await burning(name);
  const subject = { code, data: Cell.empty, address: account, methodId: methodId("burn"), balance: 1n };
  const before = process.cpuUsage();
  const { exitCode } = await executor.runMethod({
    ...{ config: testConfig, now: testTime, randSeed: seed, stack: [], gasLimit },
    ...subject,
  });
  const { user, system } = process.cpuUsage(before);
  if (exitCode !== -14) throw new Error(`${name} ends with exit code ${exitCode}`);
  return (user + system) / 1000;
}
