import { expect } from "vitest";
import { externalMessage } from "../../server/devnet/wallets/compose.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import type { Address } from "../../shared/values/address.js";
import { withResolvers } from "../../shared/values/promises.js";
import { tracePath } from "../helpers/chain/emulated.js";
import { bocText, place } from "../helpers/contracts/contracts.js";
import { dearContract } from "../helpers/contracts/dear-contracts.js";
import { compile } from "../helpers/contracts/tolk.js";
import { someAddress } from "../helpers/index/detection.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import type { Answer, AskOptions } from "../helpers/services/service.js";
import { until } from "../helpers/until.js";

export const harmlessCalls = 40;
const dear = Array.from({ length: 4 }, (_, n) => someAddress(0x20 + n));
const harmless = Array.from({ length: harmlessCalls }, (_, n) => someAddress(0x40 + n));

/** The request of a caller without a key, through the proxy that the service trusts. */
export const from = (address: string) => ({ key: null, headers: { "X-Forwarded-For": address } });

/** The calls of an attacker, by its number, until it is ended. */
type Attack = (attacker: number, signal?: AbortSignal) => Promise<Answer>;

/** Figures of the time in which a caller was at work. */
type Meanwhile = {
  /** Calls of attackers that were answered. */
  answered: number;
  /** CPU time of the whole process in seconds. */
  cpuSeconds: number;
  refusals: readonly Answer[];
};

/** A service with an index, contracts whose gas takes much time, and some that are harmless. */
export async function startDearService() {
  const service = await startDevnetService(
    { index: true, trustProxy: { hops: 1 }, anonymousRps: "unlimited" },
    { emulationTimeoutMs: undefined },
  );
  const wallet = await compile("get fun seqno(): int { return 7; }");
  for (const [n, address] of dear.entries())
    await place(service, {
      address: address.toRaw(),
      code: await dearContract(n),
      balance: "1000000000000",
    });
  for (const address of harmless) await place(service, { address: address.toRaw(), code: wallet });
  const calls = callsOf(service);
  const once = () => cpuSecondsOf(() => calls.burn(0));
  /** The less of two, as runs of an attack may go on for a while. */
  const secondsOfRun = async () => Math.min(await once(), await once());
  const atStart = await secondsOfRun();
  /** How many dear runs that run alone take this processor time. The machine may have become slower since the start. */
  const runsIn = async (cpuSeconds: number) => cpuSeconds / Math.max(atStart, await secondsOfRun());
  return { ...service, ...calls, runsIn };
}

function callsOf(service: DevnetService) {
  /** Calls that are all different, and not cached therefore. */
  let calls = 0;
  const target = (attacker: number) => dear[attacker % dear.length]!;
  const caller = (attacker: number) => from(`10.${attacker}.0.1`);
  const runMethod = (address: Address, method: string, stack: unknown[], options: AskOptions) =>
    service.post("/api/v2/runGetMethod", { address: address.toRaw(), method, stack }, options);
  const burn: Attack = (attacker, signal) =>
    runMethod(target(attacker), "burn", [["num", `${++calls}`]], {
      ...caller(attacker),
      ...(signal && { signal }),
    });
  const emulate: Attack = (attacker, signal) => {
    const boc = bocText(externalMessage(target(attacker), Cell.empty));
    const body = { boc, supported_action_types: [`v${++calls}`] };
    return service.post(tracePath, body, { ...caller(attacker), ...(signal && { signal }) });
  };
  const seqno = (address: Address, options: AskOptions) => runMethod(address, "seqno", [], options);
  /** One call after the other. */
  const askHarmless = async (options: AskOptions) => {
    for (const address of harmless) {
      const { status, json } = await seqno(address, options);
      expect([status, (json as { result: { exit_code: number } }).result.exit_code]).toEqual([200, 0]);
    }
  };
  return { burn, emulate, seqno, askHarmless };
}

/**
 * Attackers call again as soon as they are answered; if they were refused, when another one is answered or all were
 * refused.
 */
export async function besideAttack(
  attack: Attack,
  attackers: number,
  work: () => Promise<unknown>,
): Promise<Meanwhile> {
  const end = new AbortController();
  const isEnded = (error: unknown) => {
    if (!end.signal.aborted) throw error;
    return undefined;
  };
  let answered = 0;
  const refusals: Answer[] = [];
  let [next, tellNext] = nextEnd();
  let waiting = 0;
  const askAgain = () => {
    tellNext();
    [next, tellNext] = nextEnd();
  };
  const asking = Array.from({ length: attackers }, async (_, attacker) => {
    while (!end.signal.aborted) {
      const answer = await attack(attacker, end.signal).catch(isEnded);
      if (!answer) return;
      if (answer.status !== 200) {
        refusals.push(answer);
        // On a slow machine all may be refused: then no answer would wake the others.
        if (waiting + 1 === attackers) askAgain();
        else {
          waiting++;
          await next;
          waiting--;
        }
        continue;
      }
      answered++;
      askAgain();
    }
  });
  try {
    await until("the attack goes on", async () => answered > 0);
    const before = answered;
    const cpuSeconds = await cpuSecondsOf(work);
    return { answered: answered - before, cpuSeconds, refusals };
  } finally {
    end.abort();
    tellNext();
    await Promise.all(asking);
  }
}

/** CPU time of the whole process, in which the threads of its service run. */
export async function cpuSecondsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** A promise, and what resolves it. */
function nextEnd(): [Promise<void>, () => void] {
  const { promise, resolve } = withResolvers<void>();
  return [promise, () => resolve()];
}
