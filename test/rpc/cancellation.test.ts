import { expect, it } from "vitest";
import { Cancellation } from "../../server/rpc/cancellation.js";

it("a cancellation calls its listeners and fires its signal once, with the reason", () => {
  const cancellation = new Cancellation();
  const told: unknown[] = [];
  const { signal } = cancellation;
  cancellation.onCancelled((reason) => told.push(["first", reason]));
  cancellation.onCancelled((reason) => told.push(["stopped", reason]))();
  signal.addEventListener("abort", () => told.push(["signal", signal.reason]));
  expect([cancellation.isCancelled, signal.aborted]).toEqual([false, false]);
  cancellation.cancel("why");
  cancellation.cancel("again");
  expect([cancellation.isCancelled, signal.aborted, cancellation.signal]).toEqual([true, true, signal]);
  expect(told).toEqual([
    ["signal", "why"],
    ["first", "why"],
  ]);
});

it("a cancellation that came before calls a listener immediately", () => {
  const cancellation = new Cancellation();
  cancellation.cancel("why");
  const told: unknown[] = [];
  const stop = cancellation.onCancelled((reason) => told.push(reason));
  stop();
  expect(told).toEqual(["why"]);
  expect([cancellation.signal.aborted, cancellation.signal.reason]).toEqual([true, "why"]);
});
