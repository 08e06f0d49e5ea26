import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { FirstSignal } from "../../server/os/first-signal.js";

test("either of two signals fires with the reason of the first one", () => {
  for (const first of [0, 1]) {
    const controllers = [new AbortController(), new AbortController()];
    const either = new FirstSignal(controllers[0]!.signal, controllers[1]!.signal);
    expect(either.signal.aborted).toBe(false);
    const reason = new Error("over");
    controllers[first]!.abort(reason);
    controllers[1 - first]!.abort(new Error("too late"));
    expect(either.signal.reason).toBe(reason);
  }
  const reason = new Error("before");
  expect(new FirstSignal(new AbortController().signal, AbortSignal.abort(reason)).signal.reason).toBe(reason);
});

test("signals keep nothing of one that was cleared", () => {
  const controller = new AbortController();
  const either = new FirstSignal(controller.signal, new AbortController().signal);
  expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);
  either.clear();
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  controller.abort();
  expect(either.signal.aborted).toBe(false);
});
