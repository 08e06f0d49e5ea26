import { createHmac } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { nextAttempt } from "../../../server/stream/webhooks/back-off.js";
import { Batch, webhookForm } from "../../../server/stream/webhooks/batch.js";
import { DeliveryPlaces, type Waiting } from "../../../server/stream/webhooks/delivery-places.js";
import { signatureHeader, signatureOf } from "../../../server/stream/webhooks/post.js";
import { Waiters } from "../../../server/stream/webhooks/waiters.js";

describe("the next attempt of a delivery", () => {
  const day = 24 * 60 * 60_000;
  const attemptAfter = (failures: number, more: object = {}) =>
    nextAttempt({ failures, failingSince: 0, now: 0, random: 0, ...more });

  it("is later with each failure, up to an hour", () => {
    expect([1, 2, 3, 4].map((failures) => attemptAfter(failures))).toEqual([5000, 10_000, 20_000, 40_000]);
    expect([10, 11, 20, 1000].map((failures) => attemptAfter(failures))).toEqual([
      2_560_000, 3_600_000, 3_600_000, 3_600_000,
    ]);
  });

  it("is up to a fifth earlier by chance, in whole milliseconds", () => {
    expect(attemptAfter(1, { random: 1 })).toBe(4000);
    expect(attemptAfter(1, { random: 0.5, now: 1000 })).toBe(5500);
    expect(attemptAfter(1, { random: 0.12345 })).toBe(4877);
  });

  it("is the last one three days after the first failure", () => {
    expect(attemptAfter(20, { now: 3 * day - 1000 })).toBe(3 * day);
    expect(attemptAfter(20, { now: 3 * day })).toBeUndefined();
    expect(attemptAfter(20, { now: 3 * day, failingSince: 1 })).toBe(3 * day + 1);
  });
});

describe("the batch of a delivery", () => {
  it("has its events in order, once", () => {
    let events = 0;
    const batch = new Batch(() => events++);
    expect([batch.isEmpty, batch.isFull, batch.isSlowed]).toEqual([true, false, false]);
    for (const json of ['{"a":1}', '{"b":2}']) batch.write(Buffer.from(json));
    expect([batch.isEmpty, events]).toEqual([false, 2]);
    expect(batch.take()).toEqual({ json: '{"a":1},{"b":2}', count: 2 });
    expect(batch.isEmpty).toBe(true);
    expect(batch.take()).toEqual({ json: "", count: 0 });
  });

  it("is full with 100 events, or with 128 KiB", () => {
    const batch = new Batch(() => {});
    for (let at = 0; at < 99; at++) batch.write(Buffer.from("{}"));
    expect(batch.isFull).toBe(false);
    batch.write(Buffer.from("{}"));
    expect(batch.isFull).toBe(true);
    batch.take();
    batch.write(Buffer.alloc(128 * 1024 - 1));
    expect(batch.isFull).toBe(false);
    batch.write(Buffer.alloc(1));
    expect(batch.isFull).toBe(true);
    batch.take();
    expect(batch.isFull).toBe(false);
  });

  it("has events as objects with their envelope", () => {
    expect(webhookForm.write('{"a":1}', { cursor: "c", finality: "pending" })).toBe(
      '{"cursor":"c","finality":"pending","event":{"a":1}}',
    );
  });
});

describe("the signature of a delivery", () => {
  it("is of the time and the body, with each secret", () => {
    const hmac = (secret: string) => createHmac("sha256", secret).update("7.{}").digest("hex");
    expect(signatureHeader).toBe("tonwire-signature");
    expect(signatureOf(["a", "b"], 7, "{}")).toBe(`t=7,v1=${hmac("a")},v1=${hmac("b")}`);
  });
});

describe("the places of deliveries", () => {
  /** Deliveries of a key, and the names of those that have a place. */
  function world(limitOf: (keyId: string) => number) {
    const places = new DeliveryPlaces(limitOf);
    const placed: string[] = [];
    const leaves = new Map<string, () => void>();
    const ask = (keyId: string, name: string): Waiting => {
      const waiting = {
        keyId,
        placed(leave: () => void) {
          placed.push(name);
          leaves.set(name, leave);
        },
      };
      places.take(waiting);
      return waiting;
    };
    return { places, placed, ask, leave: (name: string) => leaves.get(name)!() };
  }

  it("are limited for each key, and given in order", () => {
    const { placed, ask, leave } = world((key) => (key === "a" ? 2 : 1));
    for (const name of ["a1", "a2", "a3", "a4", "b1", "b2"]) ask(name[0]!, name);
    expect(placed).toEqual(["a1", "a2", "b1"]);
    leave("a2");
    expect(placed.slice(3)).toEqual(["a3"]);
    leave("a2");
    expect(placed).toHaveLength(4);
    leave("b1");
    expect(placed.slice(4)).toEqual(["b2"]);
    leave("a1");
    leave("a3");
    expect(placed.slice(5)).toEqual(["a4"]);
    leave("a4");
    leave("b2");
    for (const name of ["a5", "a6", "a7"]) ask("a", name);
    expect(placed.slice(6)).toEqual(["a5", "a6"]);
  });

  it("are not given to those that no longer wait", () => {
    const { places, placed, ask, leave } = world(() => 1);
    ask("a", "a1");
    places.forget(ask("a", "a2"));
    ask("a", "a3");
    leave("a1");
    expect(placed).toEqual(["a1", "a3"]);
  });

  it("are 100 of all keys together", () => {
    const { placed, ask, leave } = world(() => 1000);
    for (let at = 0; at < 102; at++) ask(`${at}`, `${at}`);
    expect(placed).toHaveLength(100);
    leave("0");
    expect(placed.slice(100)).toEqual(["100"]);
  });
});

describe("callers that wait for the end of deliveries", () => {
  const isDone = async (done: Promise<void>) =>
    Promise.race([done.then(() => true), new Promise((resolve) => setImmediate(resolve, false))]);

  it("wait until a process has stopped, for their webhook only", async () => {
    const waiters = new Waiters();
    const [first, second, other] = ["a", "a", "b"].map((id) => waiters.wait(id, 1 << 30));
    waiters.stopped("c");
    expect(await isDone(first!.done)).toBe(false);
    waiters.stopped("a");
    expect([await isDone(first!.done), await isDone(second!.done), await isDone(other!.done)]).toEqual([
      true,
      true,
      false,
    ]);
    waiters.stopped("a");
    waiters.stopped("b");
    expect(await isDone(other!.done)).toBe(true);
  });

  it("give up, or wait no longer than their time", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const waiters = new Waiters();
      const [given, late] = [waiters.wait("a", 1000), waiters.wait("a", 1000)];
      given.cancel();
      expect([await isDone(given.done), await isDone(late.done)]).toEqual([true, false]);
      expect(vi.getTimerCount()).toBe(1);
      vi.advanceTimersByTime(999);
      expect(await isDone(late.done)).toBe(false);
      vi.advanceTimersByTime(1);
      expect(await isDone(late.done)).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});
