import { setMaxListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { Deadline } from "../../server/os/deadline.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const fired = ({ signal }: Deadline) =>
  new Promise<unknown>((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    else signal.addEventListener("abort", () => resolve(signal.reason), { once: true });
  });

describe("A deadline", () => {
  it("fires although nothing but a listener refers to it", async () => {
    const other = new AbortController();
    setMaxListeners(0, other.signal);
    const firings = Array.from({ length: 20 }, () => fired(new Deadline(50, other.signal)));
    collectGarbage();
    // Keeps the process alive until the deadlines, which alone do not.
    const alive = setInterval(collectGarbage, 10);
    const reasons = await Promise.all(firings);
    clearInterval(alive);
    for (const reason of reasons) expect(reason).toMatchObject({ name: "TimeoutError" });
  });

  it("fires with another signal, before or after that one does", async () => {
    const other = new AbortController();
    const before = new Deadline(1_000_000, other.signal);
    const reason = new Error("gone");
    other.abort(reason);
    const after = new Deadline(1_000_000, other.signal);
    expect(await Promise.all([fired(before), fired(after)])).toEqual([reason, reason]);
    before.clear();
    after.clear();
  });

  it("does not fire once it is cleared", async () => {
    const other = new AbortController();
    const deadline = new Deadline(1, other.signal);
    deadline.clear();
    await fired(new Deadline(5, undefined));
    other.abort();
    expect(deadline.signal.aborted).toBe(false);
  });
});
