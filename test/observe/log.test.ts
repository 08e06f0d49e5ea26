import { describe, expect, it } from "vitest";
import { type CallReport, createCallLog, createLog } from "../../server/observe/log.js";

function callLog(random: number, logSample = 0.01) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog("info", { write: (line) => lines.push(JSON.parse(line)) });
  const report = createCallLog(log, { logSample, slowMs: 1000, random: () => random });
  return { report: (call: CallReport) => report(call), lines };
}
const ordinary: CallReport = { method: "detectAddress", durationMs: 3, caller: "k_1" };
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe("the log", () => {
  it("tells of the given share of ordinary calls, refused ones among them", () => {
    const chosen = callLog(0.009);
    chosen.report(ordinary);
    chosen.report({ ...ordinary, code: "rate-limited" });
    expect(chosen.lines).toEqual([
      { level: 30, time, method: "detectAddress", durationMs: 3, caller: "k_1", msg: "call" },
      {
        level: 30,
        time,
        method: "detectAddress",
        durationMs: 3,
        caller: "k_1",
        code: "rate-limited",
        msg: "call",
      },
    ]);
    const passedOver = callLog(0.01);
    passedOver.report(ordinary);
    passedOver.report({ ...ordinary, code: "rate-limited" });
    expect(passedOver.lines).toEqual([]);
  });

  it("tells of no ordinary call with a share of 0 and of all with 1", () => {
    const none = callLog(0, 0);
    none.report(ordinary);
    expect(none.lines).toHaveLength(0);
    const all = callLog(0.999_999, 1);
    all.report(ordinary);
    expect(all.lines).toHaveLength(1);
  });

  it("tells of every slow call", () => {
    const { report, lines } = callLog(1);
    report({ ...ordinary, durationMs: 999.9 });
    report({ ...ordinary, durationMs: 1000 });
    expect(lines).toEqual([
      { level: 40, time, method: "detectAddress", durationMs: 1000, caller: "k_1", msg: "slow call" },
    ]);
  });

  it("tells of every failure of ours with its request id and where it came from", () => {
    const { report, lines } = callLog(1);
    report({ ...ordinary, code: "internal", requestId: "r1", cause: new TypeError("x is not a function") });
    expect(lines).toEqual([
      {
        level: 50,
        time,
        method: "detectAddress",
        durationMs: 3,
        caller: "k_1",
        code: "internal",
        requestId: "r1",
        err: {
          type: "TypeError",
          message: "x is not a function",
          stack: expect.stringContaining("log.test.ts"),
        },
        msg: "call failed",
      },
    ]);
  });
});
