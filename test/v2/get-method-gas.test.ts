import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Executor } from "../../server/chain/executor/executor.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import type { MethodResult } from "../../shared/ton/run/method-request.js";
import { account, testConfig, testTime } from "../helpers/chain/sample-chain.js";
import { codeOf, place, testAddress } from "../helpers/contracts/contracts.js";
import { isLong } from "../helpers/effort.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

const outOfGas = -14;
const limit = 4_000_000;

let executor: Executor;
beforeAll(async () => {
  executor = await Executor.create();
});

function runHere(code: Cell, gasLimit: number): MethodResult {
  const environment = { config: testConfig, now: testTime, randSeed: new Uint8Array(32) };
  const contract = { code, data: Cell.empty, address: account, balance: 5n };
  return executor.runMethod({ ...environment, ...contract, methodId: 0, stack: [], gasLimit });
}

/** A loop of NOP: DROP, PUSHINT times, PUSHCONT { NOP }, REPEAT. */
const loop = (times: number, padding: string) =>
  codeOf(`3082${times.toString(16).padStart(6, "0")}9100E4${padding}`);

/** A loop that uses about this much gas. */
function loopOf(gas: number): Cell {
  const used = (times: number, padding = "") => runHere(loop(times, padding), 2 * limit).gasUsed;
  const perTurn = used(2) - used(1);
  const times = Math.floor((gas - used(0)) / perTurn) - 20;
  const missing = gas - used(times);
  // NOP; NIL TUPLE, DROP; PUSHINT 1, SINGLE TUPLE, DROP
  const paddings = ["00", "6F0030", "716F0130"].map((code) => ({ code, cost: used(0, code) - used(0) }));
  const [first, second, third] = paddings;
  for (let i = 0; i < 18; i++)
    for (let j = 0; j < 18; j++) {
      const rest = missing - i * second!.cost - j * third!.cost;
      if (rest < 0 || rest % first!.cost !== 0) continue;
      const padding = [rest / first!.cost, i, j].map((count, kind) => paddings[kind]!.code.repeat(count));
      return loop(times, padding.join(""));
    }
  throw new Error("no such loop");
}

const all = ["runGetMethod", "runGetMethodStd", "v3.runGetMethod"];
const contract = testAddress("1");
const other = testAddress("2");

type RunResult = { exit_code: number; gas_used: number };

/** Runs a contract by some of the three methods. */
async function inMethods(
  service: DevnetService,
  address: string,
  names = ["runGetMethod"],
): Promise<RunResult[]> {
  const params = { address, method: "x", stack: [] };
  const results = await Promise.all(names.map((name) => service.run<RunResult>(name, params)));
  return results.map(({ exit_code, gas_used }) => ({ exit_code, gas_used }));
}

describe("a get-method of a caller", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await sharedService("empty");
  });
  afterAll(() => service.close());

  it("may use 4,000,000 gas, and no more", async () => {
    const [allowed, refused] = [loopOf(limit), loopOf(limit + 1)];
    await place(service, { address: contract, code: allowed });
    await place(service, { address: other, code: refused });
    const result = { exit_code: 0, gas_used: limit };
    expect(await inMethods(service, contract)).toEqual([result]);
    const ended = { exit_code: outOfGas, gas_used: limit + 1 };
    expect(await inMethods(service, other)).toEqual([ended]);
  });
});

it("Operators may set another limit", async () => {
  const service = await startDevnetService({ getMethodGasLimit: 50_000 });
  try {
    await place(service, { address: contract, code: loopOf(50_000) });
    await place(service, { address: other, code: loopOf(50_001) });
    const codes = async (address: string) =>
      (await inMethods(service, address, all)).map(({ exit_code }) => exit_code);
    expect(await codes(contract)).toEqual([0, 0, 0]);
    expect(await codes(other)).toEqual([outOfGas, outOfGas, outOfGas]);
  } finally {
    await service.close();
  }
});

it.runIf(isLong)("A run that is stopped at its time limit reports that", async () => {
  const service = await startDevnetService({ getMethodGasLimit: 1_000_000_000, runTimeoutMs: 50 });
  try {
    // PUSHCONT {} AGAIN: takes many times longer.
    await place(service, { address: contract, code: codeOf("90EA") });
    const params = { address: contract, method: "x", stack: [] };
    for (const name of all)
      for (const [, ended] of await service.inAllForms(name, params))
        expect(ended).toEqual({
          error: "The contract was stopped after 50 ms of processor time, the limit of a single run",
          code: 504,
        });
  } finally {
    await service.close();
  }
});
