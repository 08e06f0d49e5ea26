import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Counter, counterAddress, startCounter } from "../helpers/debug/counter-runs.js";
import { Editor, type Move, moves } from "../helpers/debug/editor.js";
import { lineOf } from "../helpers/debug/func-counter.js";
import { sized } from "../helpers/effort.js";

let counter: Counter;
beforeAll(async () => {
  counter = await startCounter();
});
afterAll(() => counter.close());

/** Numbers below a bound, the same ones for a seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

const launches = {
  "a transaction with a loop": () => ({ transaction: counter.transactions.loops }),
  "a transaction that fails": () => ({ transaction: counter.transactions.fails }),
  "a get-method": () => ({ getMethod: { address: counterAddress, method: "total" } }),
};

describe.each(Object.entries(launches))("random walks through %s", (_, launch) => {
  it("see at each step what they saw there before, whichever way they came", async () => {
    const editor = await Editor.open(counter.service);
    await editor.launch({ ...launch(), stopOn: "entry" });
    // The end, or the failure, behind which nothing is run.
    await editor.move("continue");
    const { step: last } = await editor.where();
    await editor.move("restart");
    const breakpoints = ["i += twice(i) + 1", "return x + x", "steps += 1"].map((text) => ({
      line: lineOf(text),
    }));
    await editor.client.setBreakpointsRequest({ source: { name: "counter.fc" }, breakpoints });
    const seen = new Map<number, string>();
    const random = randomNumbers(7);
    const look = async () => {
      const { step } = await editor.where();
      const now = JSON.stringify(await editor.seen());
      expect(seen.get(step) ?? now).toBe(now);
      seen.set(step, now);
      return step;
    };
    for (let i = 0; i < sized(8, 300); i++) {
      const command: Move = moves[random(moves.length)]!;
      const granularity = random(2) === 0 ? "instruction" : "statement";
      const before = await look();
      // A walk that goes on from its last step ends the session.
      if (command === "continue" && before === last) continue;
      const { reason } = await editor.move(command, { granularity });
      const after = await look();
      if (reason === "end" || reason === "entry") await editor.move("restart");
      else if (/back|reverse/i.test(command)) expect(after).toBeLessThan(before);
      else expect(after).toBeGreaterThan(before);
    }
    await editor.move("restart");
    const forth = sized(6, 200);
    const began = await look();
    for (let i = 0; i < forth; i++) await editor.move("stepIn", { granularity: "instruction" });
    for (let i = 0; i < forth; i++) await editor.move("stepBack", { granularity: "instruction" });
    expect(await look()).toBe(began);
  });
});
