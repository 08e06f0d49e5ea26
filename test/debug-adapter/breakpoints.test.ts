import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Counter, startCounter } from "../helpers/debug/counter-runs.js";
import { Editor, type Move } from "../helpers/debug/editor.js";
import { lineOf } from "../helpers/debug/func-counter.js";

let counter: Counter;
beforeAll(async () => {
  counter = await startCounter();
});
afterAll(() => counter.close());

const source = { name: "counter.fc" };
const loop = "i += twice(i) + 1";

async function open(name: keyof Counter["transactions"]): Promise<Editor> {
  const editor = await Editor.open(counter.service);
  await editor.launch({ transaction: counter.transactions[name], stopOn: "entry" });
  return editor;
}

/** Where the walk stops until it comes to an end. */
async function stopsOf(editor: Editor, command: Move): Promise<{ step: number; line: number }[]> {
  const stops: { step: number; line: number }[] = [];
  for (;;) {
    const { reason } = await editor.move(command);
    if (reason === "end" || reason === "entry") return stops;
    const { step, line } = await editor.where();
    stops.push({ step, line });
  }
}

describe("breakpoints", () => {
  it("of lines stop at each visit, forth and back alike", async () => {
    const editor = await open("loops");
    const asked = { source, breakpoints: [{ line: lineOf(loop) }, { line: 1 }, { line: 5000 }] };
    const { body } = await editor.client.setBreakpointsRequest(asked);
    expect(body.breakpoints).toMatchObject([
      { verified: true, line: lineOf(loop) },
      { verified: true, line: expect.any(Number) },
      { verified: false, message: expect.stringContaining("no instruction") },
    ]);
    const forth = await stopsOf(editor, "continue");
    expect(forth.filter(({ line }) => line === lineOf(loop))).toHaveLength(3);
    expect(await stopsOf(editor, "reverseContinue")).toEqual([...forth].reverse());
    const elsewhere = { source: { name: "other.fc" }, breakpoints: [{ line: 3 }] };
    expect((await editor.client.setBreakpointsRequest(elsewhere)).body.breakpoints).toMatchObject([
      { verified: false, message: expect.stringContaining("file") },
    ]);
  });

  it("stop where a condition is true, and at some of the hits; log points print", async () => {
    const editor = await open("loops");
    const at = async (more: object) => {
      await editor.client.setBreakpointsRequest({
        source,
        breakpoints: [{ line: lineOf(loop), ...more }],
      });
      const stops = await stopsOf(editor, "continue");
      await editor.move("restart");
      return stops.length;
    };
    expect(await at({ condition: "i >= 1 && steps < 2" })).toBe(1);
    expect(await at({ hitCondition: ">1" })).toBe(2);
    expect(await at({ hitCondition: "3" })).toBe(1);
    expect(await at({ logMessage: "i is {i}, {nobody}" })).toBe(0);
    expect(editor.output.filter((text) => text.startsWith("i is"))).toEqual(
      ["0", "1", "4"].map((i) => `i is ${i}, {nothing is called nobody here}\n`),
    );
    await expect(at({ hitCondition: "often" })).rejects.toThrow("a hit condition is a number");
    expect(await at({ condition: "nobody" })).toBe(3);
  });

  it("of functions, instructions and data stop where these are called, executed and written", async () => {
    const editor = await open("loops");
    const { client } = editor;
    const { body } = await client.setFunctionBreakpointsRequest({
      breakpoints: [{ name: "twice" }, { name: "nobody" }],
    });
    expect(body.breakpoints).toMatchObject([{ verified: true }, { verified: false }]);
    const calls = await stopsOf(editor, "continue");
    expect(calls).toHaveLength(3);
    expect(await stopsOf(editor, "reverseContinue")).toEqual([...calls].reverse());
    await client.setFunctionBreakpointsRequest({ breakpoints: [] });

    const target = { source, line: lineOf(loop) };
    const [first] = (await client.gotoTargetsRequest(target)).body.targets;
    const { instructionPointerReference: instructionReference } = first!;
    await client.customRequest("setInstructionBreakpoints", { breakpoints: [{ instructionReference }] });
    expect(await stopsOf(editor, "continue")).toHaveLength(3);
    expect(await stopsOf(editor, "reverseContinue")).toHaveLength(3);
    await client.customRequest("setInstructionBreakpoints", { breakpoints: [] });

    const writes = async (name: string) => {
      const info = await client.dataBreakpointInfoRequest({ name });
      await client.setDataBreakpointsRequest({ breakpoints: [{ dataId: info.body.dataId! }] });
      const forth = await stopsOf(editor, "continue");
      expect(await stopsOf(editor, "reverseContinue")).toEqual([...forth].reverse());
      return forth.map(({ line }) => line);
    };
    const set = lineOf("set_data(begin_cell()");
    expect(await writes("c4")).toEqual([set]);
    expect(await writes("storage.total")).toEqual([set]);
    expect(await writes("storage.nothing")).toEqual([]);
    expect((await client.dataBreakpointInfoRequest({ name: "i" })).body.dataId).toBeNull();
  });

  it("of actions stop where these are ordered", async () => {
    const editor = await open("reports");
    await editor.client.setDataBreakpointsRequest({ breakpoints: [{ dataId: "c5" }] });
    expect(await stopsOf(editor, "continue")).toMatchObject([{ line: lineOf("send_raw_message") }]);
  });

  it("of exceptions stop at all, or at the one that ended the run", async () => {
    const editor = await open("fails");
    const [thrown, last] = [lineOf("throw_unless(100"), lineOf("throw(1000 + n)")];
    expect(await editor.move("continue")).toMatchObject({
      reason: "exception",
      description: expect.anything(),
    });
    expect((await editor.where()).line).toBe(last);
    await editor.client.setExceptionBreakpointsRequest({ filters: ["all"] });
    expect(await stopsOf(editor, "reverseContinue")).toMatchObject([{ line: thrown }]);
    const { reason } = await editor.move("continue");
    expect([reason, (await editor.where()).line]).toEqual(["exception", thrown]);
    await editor.client.setExceptionBreakpointsRequest({ filters: [] });
    expect(await stopsOf(editor, "continue")).toEqual([]);
  });
});
