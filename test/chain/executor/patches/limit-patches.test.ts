import { expect, it } from "vitest";
import type { EmulatorOutput } from "../../../../server/chain/executor/calls.js";
import type { limitPatches } from "../../../../server/chain/executor/patches/limit-patches.js";
import type { PatchedOptions } from "../../../../server/chain/executor/patches/patched-emulator.js";
import type { TransactionRequest } from "../../../../shared/ton/run/account-request.js";
import type { StackValue } from "../../../../shared/ton/tvm/stack.js";
import {
  account,
  activeAccount,
  bytesCell,
  internalMessage,
  testConfig,
  testTime,
} from "../../../helpers/chain/sample-chain.js";
import { methodOf, PatchedRuns } from "./patched-runs.js";

type Limit = keyof typeof limitPatches;
type Run = (runs: PatchedRuns) => unknown;

const patched = await PatchedRuns.without([]);

/** The result of a run with all patches, and without one of them. */
async function compare(limit: Limit, run: Run, options?: PatchedOptions): Promise<[unknown, unknown]> {
  const all = options ? await PatchedRuns.without([], options) : patched;
  const others = await PatchedRuns.without([limit], options);
  return [run(all), run(others)];
}

const int = (value: number): StackValue => ({ type: "int", value: BigInt(value) });
const ended = (code: string, stack: StackValue[], gasLimit?: number): Run => {
  return (runs) => shown(runs.method(methodOf(bytesCell(code), stack, gasLimit)));
};

function shown(output: EmulatorOutput) {
  if (!output.success) return output.error;
  return "vm_exit_code" in output ? output.vm_exit_code : undefined;
}

/** DROP, then repeated by the argument: pushes 1. */
const pushing = "309171E4";
/** DROP, then repeated by the argument: a tuple that holds the one before twice, at first an empty one. */
const doubling = "306F000193206F02E4";

it("depth: without it a get-method takes and leaves about 1,000 values", async () => {
  const leaving = ended(pushing, [int(2000)]);
  const taking = ended("", Array(2000).fill(int(1)));
  const refused = expect.stringMatching(/^Couldn't deserialize stack cell: .*Depth is too big/);
  expect(await compare("depth", (runs) => [leaving(runs), taking(runs)])).toEqual([
    [0, 0],
    ["Couldn't serialize stack", refused],
  ]);
});

it("leftValues: without it a get-method leaves 3,500 values, also where there is stack for fewer", async () => {
  const run = ended(pushing, [int(1500)]);
  const options = { leftValues: 1000 };
  expect(await compare("leftValues", run, options)).toEqual(["Couldn't serialize stack", 0]);
});

it("gasLimit: without it a get-method raises its limit", async () => {
  // ACCEPT, then 10,000 rounds.
  expect(await compare("gasLimit", ended("30F80081271090E4", [int(0)], 500))).toEqual([-14, 0]);
});

it("logTail: without it the log of a long transaction begins late", async () => {
  // An endless loop, which uses up 120,000 gas.
  const request: TransactionRequest = {
    ...{ config: testConfig, now: testTime, randSeed: new Uint8Array(32).fill(7), lt: 5_000_000n },
    shardAccount: activeAccount({ code: bytesCell("90EA"), data: bytesCell("") }),
    message: internalMessage({ value: 8_000_000n, to: account }),
    log: "gas",
  };
  const first = (runs: PatchedRuns) => {
    const output = runs.transaction(request);
    return "vm_log" in output && output.vm_log.startsWith("code cell hash: ");
  };
  expect(await compare("logTail", first)).toEqual([true, false]);
});

it("prints: without it nothing is printed after a first run without debug", async () => {
  // PUSHINT 5, DUMP s0
  const request = methodOf(bytesCell("75FE20"), []);
  const printed = (runs: PatchedRuns) => {
    runs.method(request);
    const output = runs.method({ ...request, log: "gas" });
    return "vm_log" in output && output.vm_log.includes("#DEBUG#: s0 = 5");
  };
  expect(await compare("prints", printed)).toEqual([true, false]);
});

it("The stack is not written to a log: the text of this one would have 2^40 tuples", () => {
  expect(ended(doubling, [int(40)])(patched)).toBe("Couldn't serialize stack");
});
