import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { CallerCalls } from "../../server/http/caller-calls.js";
import { Cancellation } from "../../server/rpc/cancellation.js";
import type { CallContext } from "../../server/rpc/dispatch.js";
import type { Grant, JsonRpc } from "../../server/rpc/json-rpc/json-rpc.js";
import { ManualClock } from "../helpers/manual-clock.js";
import { until } from "../helpers/until.js";

const points = 2;

/** Calls of a caller, and what became of its points. `grants`: the answers to its charges, the last one for all later ones. */
function caller(grants: readonly Grant[] = [{ granted: 100 }]) {
  const clock = new ManualClock();
  const events: string[] = [];
  const left = [...grants];
  const rpc = {
    callPoints: () => points,
    call: async (method: string) => {
      events.push(method);
      // Longer than a slice of time.
      for (const began = performance.now(); method === "long" && performance.now() - began < 10; );
      return { json: '{"done":true}', durationMs: 0, longBytes: 70_000 };
    },
    api: () => "v3",
  } as unknown as JsonRpc;
  const gone = new Cancellation();
  const released: number[] = [];
  const context = {
    gone,
    settle: (owed: number) => void events.push(`owes ${owed}`),
    allowance: { release: (bytes: number) => void released.push(bytes) },
  } as unknown as CallContext;
  const spend = (asked: number): Grant => {
    events.push(`pays ${asked}`);
    return (left.length > 1 ? left.shift() : left[0])!;
  };
  const call = new CallerCalls({ rpc, clock }).of({ context, spend });
  return { call, clock, events, gone, released };
}

const refusedFor = (retryAfterSec: number): Grant => ({ granted: 0, overdrawn: true, retryAfterSec });

describe("calls on behalf of a caller", () => {
  it("give other work a turn before each", async () => {
    const { call } = caller();
    let turns = 0;
    let isDone = false;
    const count = async () => {
      while (!isDone) {
        await setImmediate();
        turns++;
      }
    };
    const counted = count();
    for (let calls = 0; calls < 10; calls++) await call("long", {});
    isDone = true;
    await counted;
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  it("pay before they begin, in their order, and owe what is not left", async () => {
    const { call, events } = caller([{ granted: 1 }, { granted: 1 }, { granted: 0 }]);
    await Promise.all(["a", "b", "c"].map((method) => call(method, {})));
    expect(events.filter((event) => event.startsWith("pays"))).toEqual(["pays 1", "pays 2", "pays 2"]);
    expect(events.filter((event) => event.startsWith("owes"))).toEqual(["owes 1", "owes 2"]);
    expect(events.indexOf("a")).toBeGreaterThan(events.indexOf("pays 1"));
  });

  it("wait for points, and begin when the caller has some", async () => {
    const { call, clock, events } = caller([refusedFor(3), refusedFor(1), { granted: 1 }]);
    const called = call("a", {});
    await until("the charge", () => events.length === 1);
    clock.pass(3000);
    await until("the charge", () => events.length === 2);
    expect(events).toEqual(["pays 1", "pays 1"]);
    clock.pass(1000);
    expect(await called).toEqual({ done: true });
  });

  it("end with a sentence where they would wait too long", async () => {
    const { call, clock, events } = caller([refusedFor(20)]);
    const called = call("a", {}).catch((error: Error) => error.message);
    await until("the charge", () => events.length === 1);
    clock.pass(20_000);
    expect(await called).toBe("the rate limit is exceeded: try again in 20 s");
    await expect(call("b", {})).rejects.toThrow("try again in 20 s");
    expect(events).not.toContain("a");
  });

  it("end with their caller while they wait", async () => {
    const { call, events, gone } = caller([refusedFor(5)]);
    const called = call("a", {}).catch((error: Error) => error.message);
    await until("the charge", () => events.length === 1);
    gone.cancel(new Error("closed"));
    expect(await called).toBe("the caller has gone");
  });

  it("hold no room of the answer for results that were read", async () => {
    const { call, released } = caller();
    await call("a", {});
    expect(released).toEqual([70_000]);
  });
});
