import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { base64ToBytes, bytesToBase64, bytesToHex } from "../../shared/values/bytes.js";
import { MadeTypes } from "../helpers/abi/made-abi.js";
import { place, testAddress } from "../helpers/contracts/contracts.js";
import { funcCounter, funcCounterCode, lineOf } from "../helpers/debug/func-counter.js";
import type { V3Result } from "../helpers/http/v3-results.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";

type Run = V3Result<"debug/transaction">;
type State = V3Result<"debug/state">;
type Steps = V3Result<"debug/steps">;
type Found = V3Result<"debug/find">;
type Profile = V3Result<"debug/profile">;
type Code = V3Result<"debug/code">;

const address = testAddress("c");
const from = testAddress("d");
const file = "counter.json";

/** The counter's data and get-method, in words. */
function counterAbi(): string {
  const types = new MadeTypes();
  const total = types.type({ kind: "uintN", n: 32 });
  return JSON.stringify(
    types.abi({
      contract_name: "counter",
      storage: { storage_ty_idx: types.struct("Storage", { total }) },
      get_methods: [{ name: "total", tvm_method_id: 100_421, parameters: [], return_ty_idx: total }],
    }),
  );
}

const dataOf = (total: number) => beginCell().storeUint(total, 32).endCell();

let service: DevnetService;
/** The counter's transactions by the operation that it was asked for. */
const runs = new Map<number, Run>();
beforeAll(async () => {
  service = await sharedService("story");
  const files = [
    { file, content: JSON.stringify(funcCounter) },
    { file: "counter.abi.json", content: counterAbi() },
  ];
  await service.run("v3.debug.artifacts.add", { files });
  await place(service, { address, code: funcCounterCode, data: dataOf(41), balance: "5000000000" });
  await service.run("devnet.settle");
  for (const operation of [1, 2, 4]) {
    const body = beginCell().storeUint(operation, 32).storeUint(9, 8).endCell();
    const message = { from, to: address, value: "1000000000", body: bytesToBase64(serializeBoc(body)) };
    await service.run("devnet.impersonate", message);
    await service.run("devnet.settle");
    const { transactions } = await service.run<{ transactions: { hash: string }[] }>("v3.transactions", {
      account: address,
      limit: 1,
      sort: "desc",
    });
    runs.set(operation, await service.run<Run>("v3.debug.transaction", { hash: transactions[0]!.hash }));
  }
});
afterAll(async () => {
  for (const each of [file, "counter.abi.json"])
    await service.run("v3.debug.artifacts.remove", { file: each });
  await service.close();
});

const ask = <T>(method: string, operation: number, params: object = {}) =>
  service.run<T>(`v3.debug.${method}`, { run: runs.get(operation)!.run, ...params });
const find = (operation: number, params: object) => ask<Found>("find", operation, params);

/** The texts of the machine for steps. */
async function texts(operation: number, steps: readonly number[]): Promise<(string | undefined)[]> {
  const page = await ask<Steps>("steps", operation, { limit: 1000 });
  return steps.map((n) => page.steps[n]!.text);
}

describe("v3.debug.transaction", () => {
  it("says where the gas went and where the run failed, and has the data in words", () => {
    const { gas, code, storage } = runs.get(2)!;
    expect(code).toMatchObject({ map: { format: "func", trust: "own", file } });
    expect(gas!.by_function!.map(({ name }) => name)).toContain("twice");
    expect(gas!.by_line![0]).toMatchObject({ name: expect.stringMatching(/^counter\.fc:\d+$/) });
    expect(gas!.by_instruction.map(({ instruction }) => instruction)).toContain("CALLREF");
    expect(storage.changes).toEqual([{ path: "total", before: "50", after: "16" }]);
    const { outcome } = runs.get(4)!;
    expect(outcome).toMatchObject({
      exit_code: 1100,
      function: "recv_internal",
      source: { file: "counter.fc", line: lineOf("throw(1000 + n)") },
    });
    expect(runs.get(4)!.storage.changes).toEqual([]);
  });
});

describe("v3.debug.steps", () => {
  it("has lines and functions, variables, and the registers that change", async () => {
    const { steps } = await ask<Steps>("steps", 2, { limit: 1000, include: "source" });
    expect(steps).toHaveLength(runs.get(2)!.steps);
    const lines = steps.flatMap(({ source }) => source ?? []);
    expect(new Set(lines.map((source) => source.file))).toEqual(new Set(["counter.fc"]));
    // The beginning of a code, which chooses a method, is in no file.
    expect(lines.length).toBeGreaterThan(steps.length - 8);
    expect(new Set(steps.map((step) => step.function))).toEqual(
      new Set([undefined, "recv_internal", "twice", "store"]),
    );
    const [write] = (await find(2, { writes: "c4" })).steps;
    const include = "registers,locals,source,cells";
    const page = await ask<Steps>("steps", 2, { from: write! - 20, limit: 1000, include });
    // Variables are long: a page has 50 of them.
    expect(page).toMatchObject({ steps: { length: Math.min(50, runs.get(2)!.steps - write! + 20) } });
    const changed = page.steps.filter(({ registers }) => registers);
    expect(changed.at(-1)).toMatchObject({
      text: "POP c4",
      registers: { c4: { cell: { type: "cell", bits: 32 }, storage: { total: expect.anything() } } },
    });
    const back = await ask<Steps>("steps", 2, { from: write, limit: 5, backward: true, include });
    expect(back.steps).toEqual(page.steps.slice(16, 21));
  });

  it("has the functions that are open, where they change", async () => {
    const page = await ask<Steps>("steps", 2, { limit: 1000, include: "frames" });
    const frames = page.steps.flatMap((step) => (step.frames ? [step.frames] : []));
    expect(page.steps[0]!.frames).toEqual([]);
    expect(frames.filter((each) => each.at(-1) === "twice")).toEqual(
      Array(3).fill(["recv_internal", "twice"]),
    );
    expect(page.steps.some(({ source }) => source)).toBe(false);
    const [call] = page.steps.filter((step) => step.frames?.at(-1) === "twice");
    const rest = await ask<Steps>("steps", 2, { from: call!.n + 1, limit: 1, include: "frames" });
    expect(rest.steps[0]!.frames).toEqual(["recv_internal", "twice"]);
  });

  it("names instructions as assemblers do, beside the machine's own text", async () => {
    const { steps } = await ask<Steps>("steps", 1, { limit: 1000 });
    const named = steps.find(({ text }) => text?.startsWith("PUSHCONT"));
    expect(named).toMatchObject({ op: "PUSHCONT", text: expect.stringContaining("PUSHCONT x") });
    expect(named).not.toHaveProperty("args");
    expect(steps.find(({ text }) => text === "STU 6")).toMatchObject({ op: "STU", args: "6" });
  });
});

describe("v3.debug.state", () => {
  it("has the machine before a step: stack, registers, functions and variables", async () => {
    const line = lineOf("i += twice(i) + 1");
    const { steps } = await find(2, { line: `counter.fc:${line}` });
    const state = await ask<State>("state", 2, { step: steps.at(-1) });
    expect(state.step).toMatchObject({
      n: steps.at(-1),
      source: { file: "counter.fc", line },
      function: "recv_internal",
    });
    expect(state.frames).toMatchObject([{ function: "recv_internal", locals: [{ name: "i" }] }]);
    expect(state.registers).toMatchObject({
      c4: { cell: { bits: 32, refs: 0 }, storage: { total: "50" } },
      c5: { actions: [] },
      c7: [{ index: 1, name: "steps", value: { type: "int", value: "2" } }],
    });
    const { hash } = state.registers.c4!.cell;
    expect(state.cells[bytesToHex(base64ToBytes(hash!)!)]).toBe(bytesToBase64(serializeBoc(dataOf(50))));
    expect(state.stack.every(({ type }) => type !== "text")).toBe(true);
  });

  it("has the ordered actions, and the function that is open", async () => {
    const { steps } = await find(1, { action: 0 });
    const { step, frames, registers } = await ask<State>("state", 1, { step: steps[0]! + 1 });
    expect(step.n).toBe(steps[0]! + 1);
    expect(frames.map((frame) => frame.function)).toEqual(["report", "recv_internal"]);
    expect(registers.c5!.actions).toMatchObject([
      { kind: "send", mode: 1, destination: from.toUpperCase(), value: "10000000" },
    ]);
    expect(registers.c4!.storage).toEqual({ total: "50" });
  });

  it("refuses steps that the run does not have", async () => {
    const answer = await service.rpc("v3.debug.state", { run: runs.get(1)!.run, step: 5000 });
    expect(answer).toMatchObject({ error: { data: { code: 404, kind: "step" } } });
  });
});

describe("v3.debug.find", () => {
  it.each([
    ["writes a register", { writes: "c4" }, ["POP c4"]],
    ["writes a global variable by its name", { writes: "steps" }, ["SETGLOB 1"]],
    ["is an instruction", { instruction: "SENDRAWMSG" }, ["SENDRAWMSG"]],
    ["queued an action", { action: 0 }, ["SENDRAWMSG"]],
  ])("finds what %s", async (_, params, expected) => {
    const { steps, is_cut } = await find(1, params);
    expect([await texts(1, steps), is_cut]).toEqual([expected, false]);
  });

  it("finds lines, places, functions, exceptions and values", async () => {
    const stored = await find(1, { function: "store" });
    expect(await texts(1, stored.steps.slice(0, 3))).toEqual(["NEWC", "STU 32", "ENDC"]);
    const line = await find(1, { line: String(lineOf("set_data(begin_cell()")) });
    expect(line.steps.slice(0, 4)).toEqual(stored.steps.slice(0, 4));
    const { steps } = await ask<Steps>("steps", 1, { from: stored.steps[0], limit: 1 });
    expect((await find(1, { at: steps[0]!.at })).steps).toEqual([stored.steps[0]]);
    expect(await texts(4, (await find(4, { throws: "any" })).steps)).toEqual(["THROWIFNOT 100", "THROWANY"]);
    expect((await find(4, { throws: "1100" })).steps).toEqual([runs.get(4)!.outcome.step]);
    expect(await texts(1, (await find(1, { equals: "50" })).steps.slice(0, 1))).toEqual(["ADD"]);
  });

  it("refuses no or several searches, and what is no number", async () => {
    const { run } = runs.get(1)!;
    for (const params of [
      {},
      { line: "3", action: 1 },
      { line: "a.fc" },
      { throws: "all" },
      { writes: "nobody" },
    ])
      expect(await service.rpc("v3.debug.find", { run, ...params })).toMatchObject({
        error: { code: -32602 },
      });
  });
});

describe("v3.debug.profile", () => {
  it("has all gas of the run, by functions, lines, instructions and cells", async () => {
    for (const by of ["function", "line", "instruction", "cell"]) {
      const profile = await ask<Profile>("profile", 2, { by });
      const used = Number(runs.get(2)!.gas!.used);
      expect(profile).toMatchObject({ total: used, fixed: false, approximate: false });
      expect(profile.entries!.reduce((sum, { gas }) => sum + gas, 0)).toBe(used);
    }
  });

  it("has a root for each transaction of a trace", async () => {
    const { transactions } = await service.run<{ transactions: { trace_id: string }[] }>("v3.transactions", {
      hash: runs.get(1)!.transaction,
    });
    const { trace_id } = transactions[0]!;
    const trace = await service.run<V3Result<"debug/trace">>("v3.debug.trace", { trace_id });
    const profile = await service.run<Profile>("v3.debug.profile", { trace_id });
    expect(profile).toMatchObject({ run: null, trace_id, total: Number(trace.gas) });
    const roots = profile.entries!.filter(({ name }) => / \d+$/.test(name));
    expect(roots.map(({ name, total }) => [name, total]).sort()).toEqual(
      trace.runs.map(({ account, lt, gas }) => [`${account} ${lt}`, Number(gas?.used ?? 0)]).sort(),
    );
    const { run } = runs.get(1)!;
    expect(await service.rpc("v3.debug.profile", { run, trace_id })).toMatchObject({
      error: { code: -32602 },
    });
  });

  it("is a file for viewers", async () => {
    const total = Number(runs.get(1)!.gas!.used);
    const { file: cpu } = await ask<Profile>("profile", 1, { format: "cpuprofile" });
    expect(cpu).toMatchObject({ startTime: 0, endTime: total, nodes: expect.any(Array) });
    const { file: scope } = await ask<Profile>("profile", 1, { format: "speedscope", by: "line" });
    expect(scope).toMatchObject({ profiles: [{ type: "evented", endValue: total }] });
    const { text } = await ask<Profile>("profile", 1, { format: "collapsed" });
    expect(text).toMatch(/^tx:\w+;recv_internal;report \d+$/m);
  });
});

describe("v3.debug.code", () => {
  it("has the instructions of a contract with their lines, and its methods", async () => {
    const code = await service.run<Code>("v3.debug.code", { account: address });
    expect(code).toMatchObject({
      code_hash: bytesToBase64(funcCounterCode.hash()),
      library: null,
      map: { format: "func", trust: "own", file },
      map_error: null,
      is_cut: false,
    });
    expect(code.methods.map(({ id, name }) => [id, name])).toEqual([
      [0, "recv_internal"],
      [2, "store"],
      [4, "report"],
      [100_421, "total"],
    ]);
    const sent = code.instructions.find(({ op }) => op === "SENDRAWMSG");
    expect(sent).toMatchObject({ bits: 16, source: { line: lineOf("send_raw_message(message, 1)") } });
    const places = new Set(code.instructions.map(({ at }) => at));
    const { steps } = await ask<Steps>("steps", 1, { limit: 1000 });
    for (const { at } of steps) if (at) expect(places.has(at)).toBe(true);
    const hash = bytesToHex(funcCounterCode.hash());
    expect(await service.run<Code>("v3.debug.code", { code_hash: hash })).toEqual(code);
  });

  it("refuses unknown codes, and contracts without one", async () => {
    for (const params of [{ code_hash: "ab".repeat(32) }, { account: testAddress("e") }])
      expect(await service.rpc("v3.debug.code", params)).toMatchObject({
        error: { data: { code: 404, kind: "code" } },
      });
    expect(await service.rpc("v3.debug.code", {})).toMatchObject({ error: { code: -32602 } });
  });
});
