import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue, type Share } from "../../../../server/chain/executor/threads/fair-queue.js";

const unlimited = { perShare: Number.POSITIVE_INFINITY, perLane: Number.POSITIVE_INFINITY };
const expectedMs = 10;

/** Runs the waiting items one after another, for at most `forMs`; returns the time of each share. */
function serve(queue: FairQueue<Job>, forMs: number, onEnd: (job: Job) => void = () => {}) {
  const used = new Map<string, number>();
  for (let ms = 0; ms < forMs; ) {
    const next = queue.shift();
    if (!next) break;
    const { item, settle } = next;
    ms += item.ms;
    settle(item.ms);
    used.set(item.name, (used.get(item.name) ?? 0) + item.ms);
    onEnd(item);
  }
  return used;
}

type Job = { name: string; share: Share; ms: number };
const job = (share: Share, ms: number): Job => ({ name: share.at(-1)!, share, ms });
const push = (queue: FairQueue<Job>, each: Job) => queue.push(each.share, each, expectedMs);
/** Shares that always have something that waits. */
function keepBusy(queue: FairQueue<Job>, shares: readonly (readonly [Share, number])[], forMs: number) {
  for (const [share, ms] of shares) push(queue, job(share, ms));
  return serve(queue, forMs, ({ share, ms }) => push(queue, job(share, ms)));
}

describe("a fair queue", () => {
  it("gives shares the same time, however long their items take", () => {
    const used = keepBusy(
      new FairQueue(unlimited),
      [
        [["cheap"], 1],
        [["dear"], 450],
      ],
      90_000,
    );
    expect(Math.abs(used.get("cheap")! - used.get("dear")!)).toBeLessThanOrEqual(900);
  });

  it("divides the time of a name among the shares below it", () => {
    const crowd = Array.from({ length: 100 }, (_, n) => [["all", "without", `${n}`], 20] as const);
    const used = keepBusy(new FairQueue(unlimited), [...crowd, [["all", "key"], 20]], 20_000);
    expect(used.get("key")).toBeGreaterThan(9_900);
    for (const [[, , name]] of crowd) expect(used.get(name!)).toBeLessThan(141);
  });

  it("takes items of one share in their order", () => {
    const queue = new FairQueue<Job>(unlimited);
    for (const ms of [3, 1, 2]) push(queue, job(["a"], ms));
    const order: number[] = [];
    serve(queue, 100, ({ ms }) => order.push(ms));
    expect(order).toEqual([3, 1, 2]);
  });

  it("lets a share that comes begin at once, but does not compensate it for its absence", () => {
    const queue = new FairQueue<Job>(unlimited);
    for (let n = 0; n < 100; n++) push(queue, job(["a"], 10));
    serve(queue, 500);
    for (let n = 0; n < 100; n++) push(queue, job(["b"], 10));
    const used = serve(queue, 200);
    expect(queue.shift()?.item.name).toBeDefined();
    expect([used.get("a"), used.get("b")]).toEqual([100, 100]);
  });

  it("remembers the time used by a share while others wait", () => {
    const queue = new FairQueue<Job>(unlimited);
    for (let n = 0; n < 100; n++) push(queue, job(["b"], 10));
    push(queue, job(["a"], 500));
    serve(queue, 520);
    push(queue, job(["a"], 500));
    // The others have 500 ms before it.
    expect(serve(queue, 480).has("a")).toBe(false);
    expect(serve(queue, 540).get("a")).toBe(500);
  });

  it("forgets everything when nothing waits or runs", () => {
    const queue = new FairQueue<Job>(unlimited);
    push(queue, job(["a"], 5000));
    serve(queue, 1);
    push(queue, job(["a"], 1));
    push(queue, job(["b"], 1));
    expect(queue.shift()?.item.name).toBe("a");
  });

  it("rejects items above the limit of a share's queue, and drops from the longest queue of a full lane", () => {
    const queue = new FairQueue<Job>({ perShare: 3, perLane: 5 });
    const [many, few] = [
      ["lane", "many"],
      ["lane", "few"],
    ];
    const first = Array.from({ length: 3 }, (_, n) => job(many, n));
    for (const each of first) expect(push(queue, each)).toBeUndefined();
    const fourth = job(many, 4);
    expect(push(queue, fourth)).toBe(fourth);
    for (let n = 0; n < 2; n++) expect(push(queue, job(few, n))).toBeUndefined();
    expect(push(queue, job(["lane", "third"], 1))).toBe(first[2]);
    // Another lane is not affected.
    expect(push(queue, job(["index"], 1))).toBeUndefined();
    expect(queue.length).toBe(6);
  });

  it("estimates how long an item would wait", () => {
    const queue = new FairQueue<Job>(unlimited);
    expect(queue.waitMs(["a"])).toBe(0);
    for (let n = 0; n < 4; n++) push(queue, job(["a"], 10));
    expect(queue.waitMs(["a"])).toBe(40);
    for (let n = 0; n < 4; n++) push(queue, job(["b"], 10));
    expect([queue.waitMs(["a"]), queue.waitMs(["c"])]).toEqual([80, 0]);
  });

  it("removes items, and remembers a bounded number of shares", () => {
    const queue = new FairQueue<Job>(unlimited);
    const [kept, removed] = [job(["a"], 1), job(["b"], 1)];
    for (const each of [kept, removed]) push(queue, each);
    queue.remove(removed.share, removed);
    queue.remove(removed.share, removed);
    for (let n = 0; n < 5000; n++) queue.enter(["lane", `${n}`], 1)(100);
    expect(queue.items()).toEqual([kept]);
    expect(queue.shift()?.item).toBe(kept);
    expect(queue.shift()).toBeUndefined();
  });

  it("is fair for any shares and items: none gets more than its part and one item", () => {
    const shareOf = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 2, maxLength: 2 });
    const busy = fc.uniqueArray(fc.tuple(shareOf, fc.integer({ min: 1, max: 500 })), {
      minLength: 2,
      selector: ([share]) => share.join(),
    });
    fc.assert(
      fc.property(busy, (shares) => {
        const named = shares.map(([share, ms]) => [[...share, share.join("/")], ms] as const);
        const forMs = 50_000;
        const used = keepBusy(new FairQueue(unlimited), named, forMs);
        const groups = new Set(shares.map(([[group]]) => group));
        const longest = Math.max(...shares.map(([, ms]) => ms));
        for (const [[group, name], ms] of shares) {
          const siblings = shares.filter(([[other]]) => other === group).length;
          const part = forMs / groups.size / siblings;
          const had = used.get(`${group}/${name}`) ?? 0;
          expect(Math.abs(had - part)).toBeLessThanOrEqual(2 * (longest + expectedMs) + ms);
        }
      }),
    );
  });
});
