import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ReadTurns, type Turn } from "../../server/store/read-turns.js";

const caller = (id: string, maxRunning = 2) => ({ id, maxRunning });
const slowMs = 500;

describe("Turns of answers", () => {
  test("a caller has only so many at once", async () => {
    const turns = new ReadTurns({ fast: 4, slow: 0 });
    const order: string[] = [];
    const take = async (id: string, name: string) => {
      const turn = await turns.take(caller(id));
      order.push(name);
      return turn;
    };
    const [first] = await Promise.all([take("a", "first"), take("a", "second")]);
    const third = take("a", "third");
    await take("b", "other");
    expect(order).toEqual(["first", "second", "other"]);
    first.release();
    await third;
    expect(order.at(-1)).toBe("third");
  });

  test("callers are served round robin", async () => {
    const turns = new ReadTurns({ fast: 1, slow: 0 });
    const running = await turns.take(caller("a"));
    const order: string[] = [];
    const asked = ["a1", "a2", "a3", "b1", "b2", "c1"].map(async (name) => {
      const turn = await turns.take(caller(name[0]!));
      order.push(name);
      turn.release();
    });
    running.release();
    await Promise.all(asked);
    expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
  });

  test("one that is given up makes room for the next", async () => {
    const turns = new ReadTurns({ fast: 1, slow: 0 });
    const running = await turns.take(caller("a"));
    const leaving = new AbortController();
    const left = turns.take(caller("a"), leaving.signal);
    const next = turns.take(caller("a"));
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: "timeout" });
    running.release();
    (await next).release();
    await expect(turns.take(caller("a"), leaving.signal)).rejects.toMatchObject({ code: "timeout" });
  });

  describe("that become slow", () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    const revoked = (taken: readonly Turn[]) => taken.map((turn) => turn.isRevoked);

    test("are left to others while there are slow turns, then revoked", async () => {
      const turns = new ReadTurns({ fast: 1, slow: 2, slowMs });
      const taken: Turn[] = [];
      for (const id of ["a", "b", "c"]) {
        taken.push(await turns.take(caller(id)));
        await vi.advanceTimersByTimeAsync(slowMs + 1);
      }
      expect(revoked(taken)).toEqual([false, false, false]);
      const fourth = turns.take(caller("d"));
      expect(revoked(taken)).toEqual([false, false, true]);
      taken[2]!.release();
      expect((await fourth).caller.id).toBe("d");
    });

    test("move up when a slow turn becomes free", async () => {
      const turns = new ReadTurns({ fast: 1, slow: 1, slowMs });
      const first = await turns.take(caller("a"));
      await vi.advanceTimersByTimeAsync(slowMs + 1);
      const second = await turns.take(caller("b"));
      await vi.advanceTimersByTimeAsync(slowMs + 1);
      first.release();
      await turns.take(caller("c"));
      expect(revoked([first, second])).toEqual([false, false]);
    });

    test("are not revoked for their own caller, and once for each other one", async () => {
      const turns = new ReadTurns({ fast: 3, slow: 0, slowMs });
      const taken = [await turns.take(caller("a", 3)), await turns.take(caller("a", 3))];
      taken.push(await turns.take(caller("b", 3)));
      await vi.advanceTimersByTimeAsync(slowMs + 1);
      const own = [turns.take(caller("a", 3)), turns.take(caller("a", 3))];
      expect(revoked(taken)).toEqual([false, false, true]);
      const others = turns.take(caller("c"));
      expect(revoked(taken)).toEqual([true, false, true]);
      for (const turn of taken) turn.release();
      await Promise.all([...own, others]);
    });

    test("bound their callers to half of the turns", async () => {
      const turns = new ReadTurns({ fast: 4, slow: 0, slowMs });
      const takeAll = () => ["a", "a", "b", "b"].map((id) => turns.take(caller(id)));
      const slow = await Promise.all(takeAll());
      await vi.advanceTimersByTimeAsync(slowMs + 1);
      for (const turn of slow) turn.release();
      const again = takeAll();
      const other = await turns.take(caller("x"));
      expect(await Promise.race([again[2], "waiting"])).toBe("waiting");
      for (const turn of [...(await Promise.all(again.slice(0, 2))), other]) turn.release();
      await Promise.all(again.slice(2));
    });
  });
});
