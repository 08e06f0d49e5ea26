import { describe, expect, it } from "vitest";
import { type CallReport, createCallLog, createLog } from "../../server/observe/log.js";
import { cpuMs } from "../helpers/cpu-time.js";

function callLog(random: number, logSample = 0.01, now = () => 0, logParams = false) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: "info" }, { write: (line) => lines.push(JSON.parse(line)) });
  const report = createCallLog(log, {
    settings: () => ({ logSample, slowMs: 1000, logParams }),
    random: () => random,
    now,
  });
  return { report: (call: CallReport) => report(call), lines };
}
const ordinary: CallReport = { method: "detectAddress", durationMs: 3, caller: "k_1" };
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const levels = { info: 30, warn: 40, error: 50 };
/** The line of an ordinary call, with these members. */
const lineOf = (severity: keyof typeof levels, members: object) => ({
  ...{ level: levels[severity], severity, time, ...ordinary },
  ...members,
});

describe("the log", () => {
  it("has the given share of successful calls", () => {
    const chosen = callLog(0.009);
    chosen.report(ordinary);
    expect(chosen.lines).toEqual([lineOf("info", { msg: "call" })]);
    const passedOver = callLog(0.01);
    passedOver.report(ordinary);
    expect(passedOver.lines).toEqual([]);
  });

  it("has refused calls with the class of the reason, and the number left out in a second", () => {
    let ms = 5000;
    const { report, lines } = callLog(1, 0, () => ms);
    for (let call = 0; call < 13; call++) report({ ...ordinary, code: "rate-limited" });
    const refused = (code: string) => lineOf("info", { code, msg: "call refused" });
    expect(lines).toEqual(Array(10).fill(refused("rate-limited")));
    ms = 6000;
    report({ ...ordinary, code: "invalid-params" });
    expect(lines.slice(10)).toEqual([
      { level: 30, severity: "info", time, calls: 3, msg: "more calls were refused" },
      refused("invalid-params"),
    ]);
  });

  it("has no ordinary call with a share of 0 and all with 1", () => {
    const none = callLog(0, 0);
    none.report(ordinary);
    expect(none.lines).toHaveLength(0);
    const all = callLog(0.999_999, 1);
    all.report(ordinary);
    expect(all.lines).toHaveLength(1);
  });

  it("has every slow call", () => {
    const { report, lines } = callLog(1);
    report({ ...ordinary, durationMs: 999.9 });
    report({ ...ordinary, durationMs: 1000 });
    expect(lines).toEqual([lineOf("warn", { durationMs: 1000, msg: "slow call" })]);
  });

  it("has names and sizes of parameters of slow and refused calls, and short values if that is wanted", () => {
    const mnemonic = "office essay carry bird flame onion";
    const params = { address: "0:1", limit: 10, boc: "te6ccgEBAQEAAgAAAA==", text: mnemonic, seed: "00ff" };
    const long = { ids: ["a".repeat(40), "b".repeat(40)] };
    const call = (hidden: readonly string[] | "all") => ({
      ...ordinary,
      durationMs: 2000,
      details: () => ({ params: { ...params, ...long }, hidden, door: "primary" }),
    });
    const sizes = { boc: "(20 bytes)", text: "(35 bytes)", seed: "(4 bytes)", ids: "(87 bytes)" };
    const hidden = { address: "(3 bytes)", limit: "(2 bytes)", ...sizes };
    const shownBy = (logParams: boolean, of: readonly string[] | "all") => {
      const { report, lines } = callLog(1, 0, undefined, logParams);
      report(call(of));
      return lines[0];
    };
    expect(shownBy(false, ["seed"])).toMatchObject({ msg: "slow call", params: hidden, door: "primary" });
    expect(shownBy(true, ["seed"])).toMatchObject({ params: { address: "0:1", limit: "10", ...sizes } });
    expect(shownBy(true, "all")).toMatchObject({ params: hidden });
    const { report, lines } = callLog(1, 0);
    report({ ...call([]), durationMs: 1, code: "unavailable" });
    report({ ...call([]), durationMs: 1 });
    expect(lines).toMatchObject([{ msg: "call refused", code: "unavailable", params: hidden }]);
    expect(lines).toHaveLength(1);
  });

  it("has the size of a parameter with integers that JSON.stringify refuses", () => {
    const { report, lines } = callLog(1);
    const params = { id: 2n ** 64n, ids: [1, 2n ** 64n] };
    report({ ...ordinary, durationMs: 1000, details: () => ({ params, hidden: [] }) });
    expect(lines[0]).toMatchObject({ params: { id: "(22 bytes)", ids: "(26 bytes)" } });
  });

  it("takes less than twice the time for a refused list of 480,000 numbers that reading it took", () => {
    const list = JSON.stringify(Array.from({ length: 480_000 }, (_, at) => at % 10));
    const [params, readMs] = [{ ids: JSON.parse(list) }, cpuMs(0, () => JSON.parse(list))];
    const { report } = callLog(1);
    const refused = { ...ordinary, code: "invalid-params", details: () => ({ params, hidden: [] }) } as const;
    expect(cpuMs(2 * readMs, () => report(refused))).toBeLessThan(2 * readMs);
  });

  it("has every failure of ours with its request id and its origin", () => {
    const { report, lines } = callLog(1);
    report({ ...ordinary, code: "internal", requestId: "r1", cause: new TypeError("x is not a function") });
    const err = {
      ...{ type: "TypeError", message: "x is not a function" },
      stack: expect.stringContaining("log.test.ts"),
    };
    expect(lines).toEqual([lineOf("error", { code: "internal", requestId: "r1", err, msg: "call failed" })]);
  });
});

describe("the log for people", () => {
  function prettyLog() {
    const lines: string[] = [];
    const log = createLog({ level: "info", format: "pretty" }, { write: (line) => lines.push(line) });
    return { log, lines: () => lines.map((line) => line.replace(/^\d\d:\d\d:\d\d\.\d{3} {2}/, "")) };
  }

  it("has one line for each call, block and notice", () => {
    const { log, lines } = prettyLog();
    createCallLog(log, {
      settings: () => ({ logSample: 1, slowMs: 1000, logParams: false }),
      random: () => 0,
      now: () => 0,
    })({
      ...ordinary,
      code: "message-rejected",
    });
    log.info({ block: 7, transactions: 3 }, "block");
    log.warn({ reason: "no route" }, "the devnet is not reachable yet");
    expect(lines()).toEqual([
      "call refused  detectAddress  3 ms  caller=k_1  message-rejected\n",
      "block  block=7  transactions=3\n",
      "WARNING  the devnet is not reachable yet  reason=no route\n",
    ]);
  });

  it("shows where a failure came from, and passes no control characters on", () => {
    const { log, lines } = prettyLog();
    log.error({ err: new TypeError("\u001b[2Jx"), of: "a\nb\u0007" }, "failed\u0007");
    const [line] = lines();
    expect(line!.split("\n").slice(0, 2)).toEqual([
      "ERROR  failed\ufffd  of=a\ufffdb\ufffd",
      "    TypeError: \ufffd[2Jx",
    ]);
    expect(line).toContain("log.test.ts");
  });
});
