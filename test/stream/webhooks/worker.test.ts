import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WebhookWorker } from "../../../server/stream/webhooks/worker.js";
import { behind, memoryHub } from "./memory-hub.js";
import { MemoryReceiver, publicTargets, turns, turnsUntil } from "./memory-receiver.js";
import { gone, MemoryWebhooks, type StoredWebhook } from "./memory-webhooks.js";

/** A process that delivers webhooks of the keys that are valid, over an index whose newest block is 5. */
async function world() {
  const { hub, index, store } = await memoryHub(4, 5);
  const [database, receiver] = [new MemoryWebhooks(), new MemoryReceiver()];
  const errors: Error[] = [];
  const limits = new Map([["key", 2]]);
  const workOf = new Map<number, () => void>();
  const clock = { now: 1_000_000 };
  let stopped = 0;
  const worker = new WebhookWorker({
    ...{ hub, now: () => clock.now, random: () => 0, onAttempt: () => {} },
    posting: { network: receiver.network, targets: publicTargets, timeoutMs: 60_000 },
    deliveriesOf: (keyId) => limits.get(keyId),
    every: (ms, work) => {
      workOf.set(ms, work);
      return () => stopped++;
    },
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => worker.close());
  const add = (id: string, more: Partial<StoredWebhook> = {}) =>
    database.add(id, { cursor: behind(5), ...more });
  const start = async () => {
    worker.start(database.database);
    await turns();
  };
  const look = async () => {
    worker.look();
    await turns();
  };
  /** The number of the process. */
  const own = () => [...database.locks.keys()].at(-1)!;
  const idsOf = (number: number | null) => database.all((row) => row.worker === number).map(({ id }) => id);
  const made = { hub, index, store, database, receiver, errors, limits, worker, workOf, clock };
  return { ...made, stopped: () => stopped, add, start, look, own, idsOf };
}

const bodies = (receiver: MemoryReceiver) => receiver.requests.map(({ body }) => JSON.parse(body));

describe("a process with webhooks", () => {
  it("delivers all that nobody else has", async () => {
    const { worker, add, start, store, receiver, own, idsOf, database } = await world();
    for (const id of ["a", "b"]) add(id);
    add("paused", { paused: "for a reason" });
    await start();
    expect([worker.size, idsOf(own()), idsOf(null)]).toEqual([2, ["a", "b"], ["paused"]]);
    expect([database.locks.size, database.listeners]).toEqual([1, 1]);
    await store(6);
    await turnsUntil("both deliveries", () => receiver.requests.length === 2);
    expect(bodies(receiver).map(({ webhook }) => webhook)).toEqual(["a", "b"]);
  });

  it("reads little while there are no webhooks", async () => {
    const { start, database } = await world();
    await start();
    expect(database.asked).toEqual(["keys"]);
  });

  it("starts once", async () => {
    const { start, database, workOf } = await world();
    await start();
    await start();
    expect([database.locks.size, [...workOf.keys()]]).toEqual([1, [1000, 60_000]]);
  });

  it("shares them with the other processes", async () => {
    const { add, start, look, own, idsOf, database, worker } = await world();
    for (const id of ["a", "b", "c", "d", "e"]) add(id);
    add("of another", { worker: 7 });
    database.locks.set(7, new AbortController());
    await start();
    // Each of two processes has three of the six webhooks.
    expect([idsOf(own()), idsOf(7), worker.size]).toEqual([["a", "b", "c"], ["of another"], 3]);
    database.locks.delete(7);
    await look();
    expect([idsOf(own()).length, worker.size]).toEqual([6, 6]);
    database.locks.set(8, new AbortController());
    database.notified.length = 0;
    const first = [...database.locks.keys()].find((number) => number !== 8)!;
    await look();
    expect([idsOf(first).length, idsOf(null).length, worker.size]).toEqual([3, 3, 3]);
    expect(database.notified).toEqual(["released"]);
  });

  it("takes no more than its share", async () => {
    const { add, start, look, own, idsOf, database } = await world();
    database.locks.set(7, new AbortController());
    for (const id of ["a", "b"]) add(id);
    await start();
    expect(idsOf(own())).toEqual(["a"]);
    for (const id of ["c", "d", "e"]) add(id);
    await look();
    expect(idsOf(own())).toEqual(["a", "b", "c"]);
    // Nothing is to be shared at a further look.
    const claims = database.count("claim");
    await look();
    expect(database.count("claim")).toBe(claims);
  });

  it("tries failed deliveries again when it is time, and tells how long their events wait", async () => {
    const { worker, add, start, store, receiver, workOf, clock } = await world();
    add("a");
    await start();
    expect(worker.behindMs).toBe(0);
    receiver.answer = 500;
    await store(6);
    await turnsUntil("the first attempt", () => receiver.requests.length === 1);
    await turns();
    clock.now += 5000;
    expect(worker.behindMs).toBe(5000);
    receiver.answer = 200;
    workOf.get(1000)!();
    await turnsUntil("the second attempt", () => receiver.requests.length === 2);
    await turns();
    expect(worker.behindMs).toBe(0);
  });

  it("leaves those of keys that are not valid", async () => {
    const { add, start, look, limits, own, idsOf, worker } = await world();
    add("a");
    add("b", { key_id: "gone" });
    await start();
    expect([idsOf(own()), worker.size]).toEqual([["a"], 1]);
    limits.set("gone", 1);
    await look();
    expect(idsOf(own())).toEqual(["a", "b"]);
    limits.delete("key");
    await look();
    expect([idsOf(own()), idsOf(null), worker.size]).toEqual([["b"], ["a"], 1]);
  });

  it("reads 100 of them at once", async () => {
    const { add, start, worker, database } = await world();
    for (let at = 0; at < 201; at++) add(`wh_${String(at).padStart(3, "0")}`);
    await start();
    await turnsUntil("all webhooks", () => worker.size === 201);
    expect(database.count("read")).toBe(3);
  });

  it("opens eight feeds at once", async () => {
    const { add, start, index, worker } = await world();
    for (let at = 0; at < 20; at++) add(`wh_${at}`);
    let [open, most] = [0, 0];
    index.onStatement = async () => {
      most = Math.max(most, ++open);
      await turns();
      open--;
    };
    await start();
    await turnsUntil("feeds", () => worker.size === 20);
    expect(most).toBe(8);
    index.onStatement = () => {};
  });

  it("delivers as many at once as a key may have", async () => {
    const { add, start, store, receiver } = await world();
    receiver.answer = "silent";
    for (const id of ["a", "b", "c"]) add(id);
    await start();
    await store(6);
    await turns();
    expect(receiver.requests).toHaveLength(2);
  });
});

describe("changes of webhooks", () => {
  it("are followed when a process is told of them", async () => {
    const { add, start, database, worker, own, idsOf } = await world();
    await start();
    add("a");
    database.notify("changed a");
    await turns();
    expect([worker.size, idsOf(own())]).toEqual([1, ["a"]]);
  });

  it("are followed after five seconds at the latest", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { add, start, worker } = await world();
    await start();
    add("a");
    await vi.advanceTimersByTimeAsync(4999);
    await turns();
    expect(worker.size).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    await turns();
    expect(worker.size).toBe(1);
  });

  it("apply to later deliveries", async () => {
    const { add, start, look, store, receiver, worker } = await world();
    const row = add("a");
    await start();
    Object.assign(row, { url: "https://example.com/other", version: 1 });
    await look();
    await store(6);
    await turnsUntil("the delivery", () => receiver.requests.length === 1);
    expect([receiver.requests[0]!.path, worker.size]).toEqual(["/other", 1]);
  });

  it("wait for an attempt that goes on", async () => {
    const { add, start, look, store, receiver, database } = await world();
    const row = add("a");
    receiver.answer = "silent";
    await start();
    await store(6);
    await turnsUntil("the request", () => receiver.requests.length === 1);
    Object.assign(row, { version: 1 });
    await look();
    expect(database.count("read")).toBe(1);
    expect(row.sending).toBe(true);
  });

  it("are told back once a deleted one is not delivered any more", async () => {
    const { add, start, look, database, worker } = await world();
    add("a");
    await start();
    database.rows.delete("a");
    database.notified.length = 0;
    await look();
    expect([worker.size, database.notified]).toEqual([0, ["stopped a"]]);
  });

  it("are told to those who wait for the end of deliveries", async () => {
    const { start, database, worker } = await world();
    await start();
    const [a, b] = [worker.waiters.wait("a", 1 << 30), worker.waiters.wait("b", 1 << 30)];
    const before = database.count("keys");
    database.notify("stopped a");
    await a.done;
    let isDone = false;
    void b.done.then(() => {
      isDone = true;
    });
    database.notify("stopped");
    await turns();
    expect([isDone, database.count("keys")]).toEqual([false, before]);
    b.cancel();
  });
});

describe("the periodic work of a process", () => {
  it("continues deliveries", async () => {
    const { add, start, index, workOf, hub, errors } = await world();
    add("a");
    index.onStatement = () => {
      throw gone();
    };
    await start();
    index.onStatement = () => {};
    expect([hub.subscriptions, errors]).toEqual([0, []]);
    workOf.get(1000)!();
    await turns();
    // The clock of the process has not moved on.
    expect(hub.subscriptions).toBe(0);
  });

  it("stores the progress of webhooks without events", async () => {
    const { add, start, store, database, workOf } = await world();
    const row = add("a", { choice: { kind: "transactions", finality: "finalized", include: [] } });
    workOf.get(60_000)?.();
    await start();
    await store(6);
    expect(row.cursor).toBe(behind(5));
    workOf.get(60_000)!();
    await turns();
    expect([row.cursor, database.count("move")]).toEqual([behind(6), 1]);
  });

  it("reports defects only", async () => {
    const { add, start, store, database, workOf, errors } = await world();
    add("a", { choice: { kind: "transactions", finality: "finalized", include: [] } });
    await start();
    await store(6);
    const failures = [gone(), new Error("a defect")];
    database.onStatement = (name) => {
      if (name === "move") throw failures.shift();
    };
    for (let at = 0; at < 2; at++) {
      workOf.get(60_000)!();
      await turns();
    }
    database.onStatement = () => {};
    expect(errors.map(({ message }) => message)).toEqual(["a defect"]);
  });
});

describe("a process that loses its lock", () => {
  it("gives its webhooks back and begins again under another number", async () => {
    const { add, start, database, own, idsOf, worker } = await world();
    add("a");
    await start();
    const before = own();
    database.locks.get(before)!.abort(gone());
    await turns();
    expect(own()).not.toBe(before);
    expect([idsOf(own()), worker.size, database.listeners]).toEqual([["a"], 1, 1]);
    expect([database.notified.includes("released"), database.locks.size]).toEqual([true, 1]);
  });
});

describe("a process whose database fails", () => {
  it("tries again after a second, and reports defects", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { add, start, database, errors, worker } = await world();
    add("a");
    const failures = [gone(), new Error("a defect")];
    database.onStatement = (name) => {
      const failure = name === "keys" ? failures.shift() : undefined;
      if (failure) throw failure;
    };
    await start();
    expect([database.count("keys"), errors, database.locks.size, database.listeners]).toEqual([1, [], 0, 0]);
    await vi.advanceTimersByTimeAsync(999);
    await turns();
    expect(database.count("keys")).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await turns();
    expect(errors.map(({ message }) => message)).toEqual(["a defect"]);
    await vi.advanceTimersByTimeAsync(1000);
    await turns();
    expect([worker.size, database.locks.size]).toEqual([1, 1]);
  });
});

describe("a process that is closed", () => {
  it("gives its webhooks back, with their progress", async () => {
    const { add, start, store, database, worker, stopped, hub } = await world();
    const row = add("a", { choice: { kind: "transactions", finality: "finalized", include: [] } });
    await start();
    await store(6);
    await worker.close();
    expect(row).toMatchObject({ worker: null, cursor: behind(6), sending: false });
    expect([worker.size, hub.subscriptions, stopped()]).toEqual([0, 0, 2]);
    expect([database.locks.size, database.listeners]).toEqual([0, 0]);
  });

  it("ends though its database is gone", async () => {
    const { add, start, database, worker, errors } = await world();
    add("a");
    await start();
    database.onStatement = () => {
      throw new Error("gone");
    };
    await worker.close();
    expect([worker.size, errors, database.locks.size]).toEqual([0, [], 0]);
  });

  it("ends before it has begun", async () => {
    const { worker, stopped } = await world();
    await worker.close();
    expect([worker.size, stopped()]).toEqual([0, 0]);
  });
});
