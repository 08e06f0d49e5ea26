import { describe, expect, test } from "vitest";
import { OriginError } from "../../../server/devnet/fork/origin.js";
import { OriginRequests } from "../../../server/devnet/fork/origin-requests.js";
import { ManualTimers } from "../../helpers/manual-timers.js";
import { until } from "../../helpers/until.js";

function setUp({ maxParallel = 2, timeoutMs = 10_000, hasAnswered = true } = {}) {
  const timers = new ManualTimers();
  let changes = 0;
  const limits = { maxParallel, timeoutMs, hasAnswered };
  const requests = new OriginRequests({ ...limits, timers, onChange: () => changes++ });
  return { timers, requests, changes: () => changes };
}

const down = (retryAfterMs?: number) =>
  new OriginError("unavailable", "the origin is down", { retryAfterMs });

/** Requests that a test answers one by one. */
function asked() {
  const waiting: { resolve(value: string): void; reject(error: Error): void; signal: AbortSignal }[] = [];
  const ask = ({ signal }: { signal: AbortSignal }) =>
    new Promise<string>((resolve, reject) => waiting.push({ resolve, reject, signal }));
  const next = () => until("a request", () => waiting.shift());
  return { waiting, ask, next };
}

describe("requests to an origin", () => {
  test("run a few at a time, in order", async () => {
    const { requests, changes } = setUp();
    const { waiting, ask } = asked();
    const answers = ["a", "b", "c"].map((key) => requests.run(key, ask));
    await until("two requests", () => waiting.length === 2);
    expect(requests.status).toMatchObject({ requests: 2, waiting: 3 });
    waiting.shift()!.resolve("first");
    expect(await answers[0]).toBe("first");
    await until("the third", () => waiting.length === 2);
    waiting.shift()!.resolve("second");
    waiting.shift()!.resolve("third");
    expect(await Promise.all(answers)).toEqual(["first", "second", "third"]);
    expect(requests.status).toMatchObject({ requests: 3, failures: 0, waiting: 0, problem: undefined });
    expect(changes()).toBe(3);
  });

  test("share the answer of equal ones, also if a caller leaves", async () => {
    const { requests } = setUp();
    const { ask, next, waiting } = asked();
    const leaving = new AbortController();
    const left = requests.run("a", ask, leaving.signal);
    const stayed = requests.run("a", ask);
    leaving.abort(new Error("left"));
    await expect(left).rejects.toThrow("left");
    (await next()).resolve("answer");
    expect(await stayed).toBe("answer");
    expect(waiting).toEqual([]);
  });

  test("are tried once until the origin has answered, as a fork may have started without it", async () => {
    const { requests, timers } = setUp({ hasAnswered: false });
    const { ask, next } = asked();
    const first = requests.run("a", ask);
    (await next()).reject(down());
    await expect(first).rejects.toThrow("the origin is down");
    const second = requests.run("a", ask);
    (await next()).resolve("answer");
    expect(await second).toBe("answer");
    const third = requests.run("b", ask);
    (await next()).reject(down());
    await until("the pause", () => timers.waiting > 0);
    timers.pass(250);
    (await next()).resolve("later");
    expect(await third).toBe("later");
  });

  test("are repeated with growing pauses while the origin is down", async () => {
    const { requests, timers } = setUp();
    const { ask, next } = asked();
    const answer = requests.run("a", ask);
    for (const pauseMs of [250, 500, 1000]) {
      (await next()).reject(down());
      expect(await until("the pause", () => timers.next)).toBe(pauseMs);
      timers.pass(pauseMs);
    }
    expect(requests.status).toMatchObject({ failures: 3, problem: "the origin is down" });
    (await next()).resolve("answer");
    expect(await answer).toBe("answer");
    expect(requests.status).toMatchObject({ requests: 4, problem: undefined });
  });

  test("fail at their deadline, and are tried once until the origin has answered", async () => {
    const { requests, timers } = setUp({ timeoutMs: 600 });
    const { ask, next, waiting } = asked();
    const answer = requests.run("a", ask);
    answer.catch(() => {});
    (await next()).reject(down());
    timers.pass((await until("the pause", () => timers.next))!);
    (await next()).reject(down());
    await expect(answer).rejects.toMatchObject({ kind: "unavailable" });
    const again = requests.run("a", ask);
    again.catch(() => {});
    (await next()).reject(down());
    await expect(again).rejects.toMatchObject({ kind: "unavailable" });
    expect(waiting).toEqual([]);
  });

  test("wait as long as the origin wishes", async () => {
    const { requests, timers } = setUp();
    const { ask, next } = asked();
    const first = requests.run("a", ask);
    (await next()).reject(down(2000));
    timers.pass((await until("the pause", () => timers.next))!);
    const second = requests.run("b", ask);
    await until("both to rest", () => timers.waiting === 2);
    expect(timers.next).toBe(1750);
    timers.pass(1750);
    (await next()).resolve("first");
    (await next()).resolve("second");
    expect(await Promise.all([first, second])).toHaveLength(2);
  });

  test.each(["untrusted", "missing", "refused"] as const)(
    "are not repeated if the answer is %s",
    async (kind) => {
      const { requests } = setUp();
      const { ask, next, waiting } = asked();
      const answer = requests.run("a", ask);
      answer.catch(() => {});
      (await next()).reject(new OriginError(kind, "no"));
      await expect(answer).rejects.toMatchObject({ kind });
      expect(waiting).toEqual([]);
      expect(requests.status).toMatchObject({
        failures: 1,
        problem: kind === "untrusted" ? "no" : undefined,
      });
    },
  );

  test("end when the origin is closed", async () => {
    const { requests } = setUp({ maxParallel: 1 });
    const { ask, next } = asked();
    const answers = [requests.run("a", ask), requests.run("b", ask)];
    const { signal, reject } = await next();
    requests.close();
    expect(signal.aborted).toBe(true);
    reject(new Error("aborted"));
    for (const answer of answers) await expect(answer).rejects.toThrow("the fork's origin is closed");
  });
});
