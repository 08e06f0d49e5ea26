import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Counter, startCounter } from "../helpers/debug/counter-runs.js";
import { Editor } from "../helpers/debug/editor.js";
import { funcCounter, lineOf } from "../helpers/debug/func-counter.js";

let counter: Counter;
beforeAll(async () => {
  counter = await startCounter();
});
afterAll(() => counter.close());

const source = { name: "counter.fc" };
const open = () => Editor.open(counter.service);
const linesOf = (...texts: string[]) => ({
  source,
  breakpoints: texts.map((text) => ({ line: lineOf(text) })),
});

describe("a debug session", () => {
  it("begins at the failure, and says why", async () => {
    const editor = await open();
    const stopped = await editor.launch({ transaction: counter.transactions.fails });
    expect(stopped).toMatchObject({ reason: "exception", text: expect.stringContaining("1100") });
    const [top] = await editor.frames();
    expect(top).toMatchObject({ name: "recv_internal", line: lineOf("throw(1000 + n)") });
    const { body } = await editor.client.exceptionInfoRequest({ threadId: 1 });
    expect(body).toMatchObject({ breakMode: "unhandled", description: expect.stringContaining("1100") });
    const text = await editor.client.sourceRequest({ sourceReference: top!.source!.sourceReference! });
    expect(text.body.content).toBe(
      funcCounter.snapshot.find((each) => each.filename === "counter.fc")!.content,
    );
  });

  it("steps by statements, into functions and out of them, and back", async () => {
    const editor = await open();
    expect(await editor.launch({ transaction: counter.transactions.loops, stopOn: "entry" })).toMatchObject({
      reason: "entry",
    });
    const lines: number[] = [];
    for (let i = 0; i < 3; i++) {
      await editor.move("next");
      lines.push((await editor.where()).line);
    }
    expect(lines).toEqual([...lines].sort((a, b) => a - b));
    await editor.client.setBreakpointsRequest(linesOf("i += twice(i) + 1"));
    await editor.move("continue");
    const call = await editor.where();
    await editor.move("stepIn");
    expect((await editor.frames()).map(({ name }) => name)).toEqual(["twice", "recv_internal"]);
    await editor.move("stepOut");
    expect((await editor.frames()).map(({ name }) => name)).toEqual(["recv_internal"]);
    await editor.move("stepBack");
    expect(await editor.where()).toEqual(call);
  });
});
