import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Address } from "../../shared/values/address.js";
import { internalMessage } from "../helpers/chain/sample-chain.js";
import { bocText } from "../helpers/contracts/contracts.js";
import { type Counter, counterAddress, startCounter } from "../helpers/debug/counter-runs.js";
import { Editor } from "../helpers/debug/editor.js";
import { funcCounter, lineOf } from "../helpers/debug/func-counter.js";

let counter: Counter;
beforeAll(async () => {
  counter = await startCounter();
});
afterAll(() => counter.close());

const source = { name: "counter.fc" };
const open = () => Editor.open(counter.service);
const at = (text: string, more: object = {}) => ({ line: lineOf(text), ...more });
const entry = (name: keyof Counter["transactions"]) => ({
  transaction: counter.transactions[name],
  stopOn: "entry",
});

describe("a debug session", () => {
  it("is configured before its launch, or after it", async () => {
    const breakpoints = [at("i += twice(i) + 1")];
    const launched = { transaction: counter.transactions.loops, stopOn: "none" };
    const first = await open();
    const initialized = first.client.waitForEvent("initialized");
    await first.client.initializeRequest();
    await initialized;
    const { body } = await first.client.setBreakpointsRequest({ source, breakpoints });
    expect(body.breakpoints).toMatchObject([{ verified: false }]);
    await first.client.setExceptionBreakpointsRequest({ filters: [] });
    await first.client.configurationDoneRequest();
    const changed = first.client.waitForEvent("breakpoint");
    const stopped = first.client.waitForEvent("stopped");
    await first.client.launchRequest(launched as object);
    const { id } = body.breakpoints[0]!;
    expect((await changed).body).toMatchObject({ breakpoint: { id, verified: true, ...breakpoints[0] } });
    expect((await stopped).body).toMatchObject({ reason: "breakpoint", hitBreakpointIds: [id] });
    const second = await open();
    const later = await second.launch(launched, async () => {
      const asked = await second.client.setBreakpointsRequest({ source, breakpoints });
      expect(asked.body.breakpoints).toMatchObject([{ verified: true }]);
    });
    expect(later).toMatchObject({ reason: "breakpoint" });
    expect(await second.where()).toEqual(await first.where());
  });

  it("begins at the failure, and says why", async () => {
    const editor = await open();
    const stopped = await editor.launch({ transaction: counter.transactions.fails });
    expect(stopped).toMatchObject({ reason: "exception", text: expect.stringContaining("1100") });
    const [top] = await editor.frames();
    expect(top).toMatchObject({ name: "recv_internal", line: lineOf("throw(1000 + n)") });
    const { body } = await editor.client.exceptionInfoRequest({ threadId: 1 });
    expect(body).toMatchObject({ breakMode: "unhandled", description: expect.stringContaining("1100") });
    const text = await editor.client.sourceRequest({
      sourceReference: top!.source!.sourceReference!,
    });
    expect(text.body.content).toBe(
      funcCounter.snapshot.find((each) => each.filename === "counter.fc")!.content,
    );
  });

  it("steps by statements, into functions and out of them, and back", async () => {
    const editor = await open();
    expect(await editor.launch(entry("loops"))).toMatchObject({ reason: "entry" });
    const lines: number[] = [];
    for (let i = 0; i < 4; i++) {
      await editor.move("next");
      lines.push((await editor.where()).line);
    }
    expect(lines).toEqual([
      lineOf("if (body.slice_bits() < 32)"),
      lineOf("slice head = full.begin_parse()"),
      lineOf("head~load_uint(4)"),
      lineOf("slice sender = head~load_msg_addr()"),
    ]);
    await editor.client.setBreakpointsRequest({ source, breakpoints: [at("i += twice(i) + 1")] });
    expect(await editor.move("continue")).toMatchObject({ reason: "breakpoint", hitBreakpointIds: [1] });
    const call = await editor.where();
    await editor.move("stepIn");
    expect((await editor.frames()).map(({ name }) => name)).toEqual(["twice", "recv_internal"]);
    await editor.move("stepOut");
    expect((await editor.frames()).map(({ name }) => name)).toEqual(["recv_internal"]);
    await editor.move("stepBack");
    expect(await editor.where()).toEqual(call);
    await editor.move("next");
    expect(await editor.where()).toMatchObject({ line: lineOf("steps += 1") });
  });

  it("walks by instructions, and ends at both ends of the run", async () => {
    const editor = await open();
    await editor.launch(entry("loops"));
    const granularity = { granularity: "instruction" };
    for (let i = 1; i <= 5; i++) {
      await editor.move("stepIn", granularity);
      expect((await editor.where()).step).toBe(i);
    }
    for (let i = 4; i >= 0; i--) {
      await editor.move("stepBack", granularity);
      expect((await editor.where()).step).toBe(i);
    }
    expect(await editor.move("stepBack", granularity)).toMatchObject({ reason: "entry" });
    expect(await editor.move("continue")).toMatchObject({ reason: "end" });
    const end = await editor.where();
    expect(await editor.move("reverseContinue")).toMatchObject({ reason: "entry" });
    expect((await editor.where()).step).toBe(0);
    await editor.move("continue");
    expect(await editor.where()).toEqual(end);
    const exited = editor.client.waitForEvent("exited");
    await editor.client.continueRequest({ threadId: 1 });
    expect((await exited).body).toEqual({ exitCode: 0 });
  });

  it("shows variables, storage, stack, registers and gas", async () => {
    const editor = await open();
    await editor.launch(entry("loops"), () =>
      editor.client.setBreakpointsRequest({ source, breakpoints: [at("i += twice(i) + 1")] }),
    );
    await editor.move("continue");
    await editor.move("continue");
    const [top] = await editor.frames();
    const { body } = await editor.client.scopesRequest({ frameId: top!.id });
    const names = body.scopes.map(({ name }) => name);
    expect(names).toEqual(["Locals", "Storage", "Message", "Stack", "Globals", "Registers", "Gas"]);
    const reference = (name: string) => body.scopes.find((scope) => scope.name === name)!.variablesReference;
    const read = async (name: string) =>
      (await editor.client.variablesRequest({ variablesReference: reference(name) })).body.variables;
    expect(await read("Locals")).toMatchObject([{ name: "i", value: "1", evaluateName: "i" }]);
    expect(await read("Storage")).toMatchObject([
      { name: "total", value: "50", evaluateName: "storage.total" },
    ]);
    expect(await read("Globals")).toMatchObject([{ name: "steps", value: "1" }]);
    const registers = await read("Registers");
    expect(registers.map(({ name, value }) => [name, value])).toEqual([
      ["c4", "cell of 32 bits, 0 refs"],
      ["c5", "0 actions"],
      ["c7", expect.stringMatching(/^\d+ parameters$/)],
    ]);
    const cell = await editor.client.variablesRequest({
      variablesReference: registers[0]!.variablesReference,
    });
    expect(cell.body.variables.map(({ name, value }) => [name, value])).toEqual([
      ["hash", expect.stringMatching(/^[\da-f]{64}$/)],
      ["bits", "x00000032"],
      ["boc", expect.any(String)],
    ]);
    expect(await editor.value("i == 1 && storage.total >= 50 && !(steps != 1)")).toBe("true");
    expect(await editor.value("s0")).toMatch(/\d/);
    expect(await editor.value("c7.unixtime")).toMatch(/^\d+$/);
    const { body: completions } = await editor.client.completionsRequest({ text: "st", column: 3 });
    expect(completions.targets.map(({ label }) => label)).toEqual(
      expect.arrayContaining(["steps", "storage", "stack", "step"]),
    );
  });

  it("goes to a line, and starts again", async () => {
    const editor = await open();
    await editor.launch(entry("loops"));
    const { body } = await editor.client.gotoTargetsRequest({ source, line: lineOf("store(i + steps)") });
    expect(body.targets).toHaveLength(1);
    await editor.client.gotoRequest({ threadId: 1, targetId: body.targets[0]!.id });
    expect(await editor.where()).toMatchObject({ line: lineOf("store(i + steps)") });
    expect(await editor.move("restart")).toMatchObject({ reason: "entry" });
    expect((await editor.where()).step).toBe(0);
  });

  it("disassembles the code around an instruction", async () => {
    const editor = await open();
    await editor.launch({ transaction: counter.transactions.fails });
    const [top] = await editor.frames();
    const memoryReference = top!.instructionPointerReference!;
    const asked = { memoryReference, instructionOffset: -2, instructionCount: 5 };
    const { instructions } = (await editor.client.disassembleRequest(asked)).body!;
    expect(instructions).toHaveLength(5);
    expect(instructions[2]).toMatchObject({ symbol: memoryReference, instruction: "THROWANY" });
    const addresses = instructions.map(({ address }) => Number(address));
    expect(addresses).toEqual(addresses.map((_, index) => addresses[0]! + index));
  });

  it("debugs a get-method", async () => {
    const editor = await open();
    await editor.launch({ getMethod: { address: counterAddress, method: "total" }, stopOn: "entry" }, () =>
      editor.client.setFunctionBreakpointsRequest({ breakpoints: [{ name: "twice" }] }),
    );
    expect(await editor.move("continue")).toMatchObject({ reason: "function breakpoint" });
    expect((await editor.frames()).map(({ name }) => name)).toEqual(["twice", "total"]);
  });

  it("debugs a message that was not sent, with all that it causes", async () => {
    const editor = await open();
    const body = beginCell().storeUint(1, 32).storeUint(9, 8).endCell();
    const to = Address.read(counterAddress)!.address;
    const boc = bocText(internalMessage({ value: 100_000_000n, to, body }));
    const stopped = await editor.launch({ message: { boc, follow: true }, stopOn: "none" }, () =>
      editor.client.setFunctionBreakpointsRequest({ breakpoints: [{ name: "report" }] }),
    );
    expect(stopped).toMatchObject({ reason: "function breakpoint", threadId: 1 });
    expect((await editor.client.threadsRequest()).body.threads).toHaveLength(2);
    expect(await editor.value("message.value")).toBe("100000000");
  });

  it("debugs the transactions of a trace as threads, and goes on from one to the next", async () => {
    const editor = await open();
    const asked = { hash: [counter.transactions.reports] };
    const { transactions } = await counter.service.run<{ transactions: { trace_id: string }[] }>(
      "v3.transactions",
      asked,
    );
    await editor.launch({ trace: transactions[0]!.trace_id, stopOn: "entry" });
    const { threads } = (await editor.client.threadsRequest()).body;
    expect(threads.length).toBeGreaterThan(1);
    expect(threads[0]!.name).toContain("…");
    expect(await editor.move("continue")).toMatchObject({ reason: "end", threadId: threads.length });
    expect(await editor.move("reverseContinue")).toMatchObject({ reason: "entry", threadId: 1 });
  });
});
