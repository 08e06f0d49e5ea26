import { expect, it } from "vitest";
import type { EmulatorOutput } from "../../../../server/chain/executor/calls.js";
import type { PatchName } from "../../../../server/chain/executor/patches/patches.js";
import { speedPatches } from "../../../../server/chain/executor/patches/speed-patches.js";
import type { TransactionRequest } from "../../../../shared/ton/run/account-request.js";
import type { MethodRequest } from "../../../../shared/ton/run/method-request.js";
import {
  account,
  activeAccount,
  bytesCell,
  internalMessage,
  testConfig,
  testTime,
} from "../../../helpers/chain/sample-chain.js";
import { variants } from "../../../helpers/effort.js";
import { methodOf, PatchedRuns } from "./patched-runs.js";

/** ACCEPT; SETCODE of what is no cell; exceptions, loops, and code that does not exist. */
const codes = ["F800", "FB04", "F22A", "30908064E4", "91F22A91F2FFF2FF", "FFFF"].map(bytesCell);
const seed = new Uint8Array(32).fill(7);
const methods: MethodRequest[] = codes.map((code) => methodOf(code, [{ type: "int", value: 5n }]));
const transactions: TransactionRequest[] = codes.map((code) => ({
  ...{ config: testConfig, now: testTime, randSeed: seed, lt: 5_000_000n },
  shardAccount: activeAccount({ code, data: bytesCell("") }),
  message: internalMessage({ value: 1_000_000_000n, to: account }),
}));

/** Each twice: the second run finds what the first one made. */
function outputsOf(runs: PatchedRuns): EmulatorOutput[] {
  return [1, 2].flatMap(() => [
    ...methods.map((request) => runs.method(request)),
    ...transactions.map((request) => runs.transaction(request)),
  ]);
}

/** Without the time that the run took. */
const withoutLog = (output: EmulatorOutput) => ({ ...output, elapsed_time: 0, vm_log: "" });
const ownLog = (output: EmulatorOutput) => ("own_log" in output ? output.own_log : undefined);

const patched = outputsOf(await PatchedRuns.without([]));

it("Runs whose log is not read have none", () => {
  expect(patched.filter((output) => "vm_log" in output && output.vm_log !== "")).toEqual([]);
  expect(patched.map(ownLog)).toEqual(patched.map(() => undefined));
});

const all = Object.keys(speedPatches) as PatchName[];
const omissions = variants(
  [all],
  all.map((name) => [name]),
);

it.each(omissions.map((names) => ({ names })))("Results are the same without $names", async ({ names }) => {
  const others = outputsOf(await PatchedRuns.without(names));
  expect(others.map(withoutLog)).toEqual(patched.map(withoutLog));
});

it("Results are the same without invokers in WebAssembly", async () => {
  const others = outputsOf(await PatchedRuns.without([], { hasInvokers: false }));
  expect(others.map(withoutLog)).toEqual(patched.map(withoutLog));
});

it("Without vmLog each run has a log", async () => {
  const logged = outputsOf(await PatchedRuns.without(["vmLog"]));
  expect(logged.every((output) => "vm_log" in output && output.vm_log.includes("execute "))).toBe(true);
});
