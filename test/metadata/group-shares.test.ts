import { describe, expect, it } from "vitest";
import { GroupShares, groupOf } from "../../server/metadata/group-shares.js";

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

it.each([
  ["https://a.b.tarpit.example/x", "tarpit.example"],
  ["https://tarpit.example./x", "tarpit.example"],
  ["https://one.two.co.uk/", "two.co.uk"],
  // A platform's owner controls all of it, because names below it cost nothing.
  ["https://somebody.github.io/", "github.io"],
  ["https://co.uk/", "co.uk"],
  ["https://localhost/", "localhost"],
  ["http://93.184.215.14/", "93.184.215"],
  ["http://0x5d.0xb8d70e/", "93.184.215"],
  ["http://[2001:41d0:1:1234::1]/", "[2001:41d0:1]"],
  ["http://[2001:41d0:1:ffff:1:2:3:4]/", "[2001:41d0:1]"],
  ["http://[2001:41d0::1]/", "[2001:41d0:0]"],
  ["http://[2600::]/", "[2600:0:0]"],
])("hosts are grouped by owner: %s", (url, group) => {
  expect(groupOf(new URL(url))).toBe(group);
});
