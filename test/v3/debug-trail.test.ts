import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stepsOf } from "../../server/debug-adapter/trail.js";
import { RunCode } from "../../shared/ton/debug/run-code.js";
import { FrameWalk } from "../../shared/ton/debug/run-frames.js";
import { TrailPage } from "../../shared/ton/present/v3/debug-trail.js";
import { CodeCells } from "../../shared/ton/tvm/code/code-cells.js";
import { readWholeLog } from "../../shared/ton/tvm/machine-log.js";
import { type Counter, counterAddress, startCounter } from "../helpers/debug/counter-runs.js";
import type { V3Result } from "../helpers/http/v3-results.js";

type Trail = V3Result<"debug/trail">;
type Steps = V3Result<"debug/steps">;

let counter: Counter;
beforeAll(async () => {
  counter = await startCounter();
});
afterAll(() => counter.close());

const trail = (params: object) => counter.service.run<Trail>("v3.debug.trail", params);

describe("a trail", () => {
  it.each(["loops", "fails"] as const)(
    "has the instruction, line and functions of each step: %s",
    async (name) => {
      const { service, transactions } = counter;
      const { run } = await service.run<{ run: string }>("v3.debug.transaction", {
        hash: transactions[name],
      });
      const { steps, ...page } = await service.run<Steps>("v3.debug.steps", {
        ...{ run, limit: 1000, include: ["source", "frames"] },
      });
      const short = await trail({ run });
      expect(short).toMatchObject({ ...page, from: 0 });
      // A loop's steps share places.
      expect(steps.length - short.places.length).toBeGreaterThanOrEqual(name === "loops" ? 1 : 0);
      const shown = steps.map(({ n, at, op, args, text, depth, source, function: own, frames, print }) =>
        JSON.stringify([n, at, op, args, text, depth, source, own, frames, print]),
      );
      const walked = [...stepsOf(short)].map((step) => {
        const { n, frames, print, place } = step;
        const { at, op, args, text, depth, source, function: own } = place as Steps["steps"][number];
        return JSON.stringify([n, at, op, args, text, depth, source, own, frames, print]);
      });
      expect(walked).toEqual(shown);
      const from = steps.length - 3;
      expect([...stepsOf(await trail({ run, from }))].map(({ n }) => n)).toEqual([from, from + 1, from + 2]);
    },
  );

  it("has the functions of a get-method, and is refused for unknown runs", async () => {
    const asked = { address: counterAddress, method: "total" };
    const { run } = await counter.service.run<{ run: string }>("v3.debug.getMethod", asked);
    const { frames } = await trail({ run, get_method: JSON.stringify(asked) });
    expect(frames).toContainEqual({ name: "total", parent: null });
    const unknown = await counter.service.rpc("v3.debug.trail", { run: `tx:${"ab".repeat(32)}` });
    expect(unknown).toMatchObject({ error: { data: { kind: "transaction" } } });
  });

  it("costs one point for a page of 10,000 steps", () => {
    const step = `execute NOP\ngas remaining: 1\n`;
    const log = readWholeLog(step.repeat(12_000), 12_000);
    const code = new RunCode(new CodeCells([], () => undefined), []);
    const walk = new FrameWalk(log, code);
    while (walk.read(1000));
    const page = new TrailPage(log, code, walk.finish());
    for (let n = 0; n < log.end && !page.isFull; n++) page.add(n);
    expect(page.steps.length).toBe(10_000);
    expect(page.places).toEqual([{ op: "NOP", text: "NOP", depth: 0, frame: null }]);
  });
});

describe("the cells of a log", () => {
  it("are listed once, however many pages are read", () => {
    const log = readWholeLog(
      `code cell hash: ${"AB".repeat(32)} offset: 0\nexecute NOP\ngas remaining: 1\n`,
      10,
    );
    expect(log.cells).toEqual(["ab".repeat(32)]);
    expect(log.cells).toBe(log.cells);
  });
});
