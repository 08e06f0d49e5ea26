import { describe, expect, it } from "vitest";
import { GroupShares } from "../../server/metadata/group-shares.js";

function open(maxHeld = 2) {
  const clock = { now: 0 };
  const shares = new GroupShares(maxHeld, () => clock.now);
  /** Holds a place for this time. */
  const use = (group: string, ms: number) => {
    const release = shares.take(group)!;
    clock.now += ms;
    release();
  };
  const order = (...items: string[]) => shares.inTurns(items, (item) => item[0]!);
  return { clock, shares, use, order };
}

describe("Places that groups share", () => {
  it("are at most so many for one of them", () => {
    const { shares } = open(2);
    const first = shares.take("a");
    expect([first, shares.take("a"), shares.take("b")].every(Boolean)).toBe(true);
    expect(shares.take("a")).toBeUndefined();
    first!();
    expect(shares.take("a")).toBeDefined();
    expect(shares.take("a")).toBeUndefined();
  });

  it("are given in turns", () => {
    const { order } = open();
    expect(order("a1", "a2", "a3", "b1", "c1", "c2")).toEqual(["a1", "b1", "c1", "a2", "c2", "a3"]);
    expect(order()).toEqual([]);
  });

  it("are given first to the groups that have used them least", () => {
    const { use, order } = open();
    use("a", 30_000);
    use("b", 100);
    expect(order("a1", "a2", "b1", "c1")).toEqual(["c1", "b1", "a1", "a2"]);
  });

  it("are given last to groups that already hold some", () => {
    const { shares, use, order } = open();
    use("a", 30_000);
    shares.take("b");
    expect(order("b1", "a1", "c1")).toEqual(["c1", "a1", "b1"]);
  });

  it("were used the less, the longer ago it was", () => {
    const { use, order, clock } = open();
    use("a", 30_000);
    clock.now += 10 * 60_000;
    use("b", 1000);
    expect(order("b1", "a1")).toEqual(["a1", "b1"]);
  });
});
