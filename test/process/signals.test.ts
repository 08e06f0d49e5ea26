import { expect, it, onTestFinished, vi } from "vitest";
import { stopEnds } from "../../server/process/context/shutdown.js";
import { stopRequested } from "../../server/process/stop-signals.js";

it("the end of a stop names the connections that were cut off", () => {
  expect(stopEnds({ connections: 2, webSockets: 1 })).toBe(
    "the process has stopped; cut off after 10 s: 2 connections with calls in flight, 1 WebSockets",
  );
});

/** What this process does at signals; whether one of its streams is a terminal. */
function listening(isTerminal: boolean, reload?: () => void) {
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  const others = signals.map((signal) => process.listeners(signal));
  for (const signal of signals) process.removeAllListeners(signal);
  const { isTTY } = process.stdin;
  process.stdin.isTTY = isTerminal;
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  onTestFinished(() => {
    process.stdin.isTTY = isTTY;
    exit.mockRestore();
    for (const [at, signal] of signals.entries()) {
      process.removeAllListeners(signal);
      for (const listener of others[at]!) process.on(signal, listener);
    }
  });
  return { stopped: stopRequested(reload), exit };
}

it("a closed terminal stops the process, and tells it twice", async () => {
  const reload = vi.fn();
  const { stopped, exit } = listening(true, reload);
  process.emit("SIGHUP");
  process.emit("SIGHUP");
  expect([reload.mock.calls, exit.mock.calls]).toEqual([[], []]);
  expect(await stopped).toBe("SIGHUP");
  process.emit("SIGTERM");
  expect(exit.mock.calls).toEqual([[1]]);
});

it("without a terminal SIGHUP stops a process that has nothing to read again", async () => {
  const { stopped } = listening(false);
  process.emit("SIGHUP");
  expect(await stopped).toBe("SIGHUP");
});
