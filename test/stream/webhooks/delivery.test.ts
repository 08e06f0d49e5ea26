import { describe, expect, it, onTestFinished } from "vitest";
import { nothing } from "../../../server/stream/subscriptions/filter.js";
import { Delivery } from "../../../server/stream/webhooks/delivery.js";
import { DeliveryPlaces } from "../../../server/stream/webhooks/delivery-places.js";
import { type Outcome, signatureOf } from "../../../server/stream/webhooks/post.js";
import { Targets } from "../../../server/stream/webhooks/targets.js";
import { unitAt } from "../memory-index.js";
import { behind, memoryHub } from "./memory-hub.js";
import { MemoryReceiver, publicTargets, turns, turnsUntil } from "./memory-receiver.js";
import { gone, MemoryWebhooks, type StoredWebhook } from "./memory-webhooks.js";

const [id, worker] = ["wh_1", 7];
const dayMs = 24 * 60 * 60_000;

/** The delivery of a webhook to all blocks behind block 5, which is the newest one. */
async function world(row: Partial<StoredWebhook> = {}, { places: limit = 4, targets = publicTargets } = {}) {
  const { hub, index, store } = await memoryHub(3, 4, 5);
  const [database, receiver] = [new MemoryWebhooks(), new MemoryReceiver()];
  const stored = database.add(id, { worker, cursor: behind(5), ...row });
  const clock = { now: 1_000_000 };
  const places = new DeliveryPlaces(() => limit);
  const errors: Error[] = [];
  const outcomes: Outcome[] = [];
  const changes = { count: 0 };
  /** How often feeds were opened. */
  const openings = { count: 0 };
  const make = () => {
    const { worker: _, sending: __, ...given } = stored;
    const delivery = new Delivery(
      {
        ...{ hub, database, worker, places, now: () => clock.now, random: () => 0 },
        posting: { network: receiver.network, targets, timeoutMs: 60_000 },
        opening: (open) => {
          openings.count++;
          return open();
        },
        onChanged: () => changes.count++,
        onAttempt: (outcome) => outcomes.push(outcome),
        onError: (error) => errors.push(error),
      },
      given,
    );
    onTestFinished(() => delivery.close());
    return delivery;
  };
  const delivery = make();
  const begin = async () => {
    delivery.tick();
    await turns();
  };
  /** Waits for attempts that have been recorded. */
  const attempts = (count: number) =>
    turnsUntil(`${count} attempts`, () => (database.attempts.get(id)?.length ?? 0) >= count);
  const bodies = () => receiver.requests.map(({ body }) => JSON.parse(body));
  const made = {
    hub,
    index,
    store,
    database,
    receiver,
    stored,
    clock,
    places,
    errors,
    outcomes,
    changes,
    openings,
  };
  return { ...made, delivery, make, begin, attempts, bodies };
}

const seqnos = (body: { events: { event: { block?: { seqno: number } } }[] }) =>
  body.events.map(({ event }) => event.block?.seqno);

describe("a delivery", () => {
  const devnet = new Targets({ isDevnet: true, networks: undefined });
  const near = "http://127.0.0.1:22/";

  it("reaches this machine if its webhook has the right", async () => {
    const { begin, store, attempts, receiver, database } = await world(
      { url: near, loopback: true },
      { targets: devnet },
    );
    await begin();
    await store(6);
    await attempts(1);
    expect(receiver.endpoints).toMatchObject([{ address: "127.0.0.1", port: 22 }]);
    expect(database.attempts.get(id)).toMatchObject([{ status: 200, failure: null }]);
  });

  it("fails without a word on its receiver if its webhook has no right to reach it", async () => {
    const { begin, store, attempts, receiver, database, stored } = await world(
      { url: near },
      { targets: devnet },
    );
    await begin();
    await store(6);
    await attempts(1);
    expect(receiver.endpoints).toEqual([]);
    expect(database.attempts.get(id)).toMatchObject([{ status: null, failure: "failed" }]);
    expect(stored).toMatchObject({ failure: "failed", failures: 1, paused: null });
  });

  it("posts events with the places before and behind them, signed", async () => {
    const { delivery, receiver, clock, begin, store, attempts, bodies, stored } = await world();
    expect([delivery.keyId, delivery.version]).toEqual(["key", 0]);
    await begin();
    await store(6);
    await attempts(1);
    const [{ path, headers, body }] = receiver.requests as [(typeof receiver.requests)[0]];
    expect(path).toBe("/hook");
    expect(bodies()).toMatchObject([
      { webhook: id, after: behind(5), events: [{ finality: "finalized", event: { type: "block" } }] },
    ]);
    expect(bodies()[0].cursor).toBe(behind(6));
    expect(headers).toMatchObject({
      host: "example.com",
      "content-type": "application/json",
      "user-agent": "tonwire",
      "tonwire-webhook": id,
      "tonwire-signature": signatureOf([stored.secret], clock.now / 1000, body),
    });
  });

  it("records its attempts, and goes on behind them", async () => {
    const { database, stored, begin, store, attempts, bodies, outcomes, openings } = await world();
    await begin();
    await store(6);
    await attempts(1);
    expect(stored).toMatchObject({ cursor: bodies()[0].cursor, sending: false, attempts: 1n, failures: 0 });
    expect(database.attempts.get(id)).toEqual([
      {
        ...{ at: 1_000_000n, duration_ms: 0, events: 1, after_cursor: behind(5), cursor: stored.cursor },
        ...{ status: 200, failure: null },
      },
    ]);
    await store(7);
    await attempts(2);
    expect(bodies()[1]).toMatchObject({ after: bodies()[0].cursor });
    expect(bodies().map(seqnos)).toEqual([[6], [7]]);
    expect([outcomes, openings.count]).toEqual([Array(2).fill({ status: 200, failure: null }), 1]);
  });

  it("takes events that came together in one batch", async () => {
    const { begin, attempts, bodies } = await world({ cursor: behind(3) });
    await begin();
    await attempts(1);
    expect(bodies().map(seqnos)).toEqual([[4, 5]]);
  });

  it("measures how long attempts take, whatever the clock does", async () => {
    const { database, receiver, clock, begin, store, attempts } = await world();
    await begin();
    const connect = receiver.network.connect;
    for (const [at, ms] of [250, -400].entries()) {
      receiver.network.connect = (...given) => {
        clock.now += ms;
        return connect(...given);
      };
      await store(6 + at);
      await attempts(1 + at);
    }
    expect(database.attempts.get(id)!.map(({ duration_ms }) => duration_ms)).toEqual([0, 250]);
  });

  it("signs with the secret before as long as it is valid", async () => {
    const old = { old_secret: "the old secret", old_secret_until: 1_000_001n };
    const { stored, clock, receiver, begin, store, attempts } = await world(old);
    await begin();
    await store(6);
    await attempts(1);
    clock.now = 1_000_001;
    await store(7);
    await attempts(2);
    const signed = receiver.requests.map(({ headers }) => headers["tonwire-signature"]);
    const bodyOf = (at: number) => receiver.requests[at]!.body;
    expect(signed).toEqual([
      signatureOf([stored.secret, "the old secret"], 1000, bodyOf(0)),
      signatureOf([stored.secret], 1000, bodyOf(1)),
    ]);
  });

  it("begins at the time of its next attempt", async () => {
    const { clock, openings, begin } = await world({ next_attempt_at: 1_000_500n });
    clock.now = 1_000_499;
    await begin();
    expect(openings.count).toBe(0);
    clock.now = 1_000_500;
    await begin();
    expect(openings.count).toBe(1);
    await begin();
    expect(openings.count).toBe(1);
  });

  it("waits for a place among those of its key", async () => {
    const { places, delivery, begin, store, attempts, receiver, bodies } = await world({}, { places: 1 });
    let leave = () => {};
    places.take({
      keyId: "key",
      placed: (free) => {
        leave = free;
      },
    });
    await begin();
    await store(6, 7);
    await turns();
    expect(receiver.requests).toEqual([]);
    leave();
    await attempts(1);
    expect(bodies().map(seqnos)).toEqual([[6, 7]]);
    // Its place is free again.
    let isFree = false;
    await turns();
    places.take({
      keyId: "key",
      placed: (free) => {
        isFree = true;
        free();
      },
    });
    expect([isFree, delivery.isOver]).toEqual([true, false]);
  });

  it("reads on when more than a batch waits", async () => {
    const many = Array.from({ length: 250 }, (_, at) => 6 + at);
    const { begin, index, hub, bodies } = await world();
    index.add(...many);
    hub.indexChanged();
    await turnsUntil("the hub", () => hub.seqno === 255);
    await begin();
    await turnsUntil("all blocks", () => bodies().flatMap(seqnos).length === 250);
    expect(bodies().flatMap(seqnos)).toEqual(many);
    expect(bodies().map(({ events }) => events.length)).toEqual([100, 100, 50]);
  });
});

describe("the time that events have been waiting", () => {
  /** Takes the only place; the place is free again when the result is called. */
  const occupy = (places: DeliveryPlaces) => {
    let leave = () => {};
    places.take({ keyId: "key", placed: (free) => (leave = free) });
    return () => leave();
  };

  it("counts from when none was waiting for the last time", async () => {
    const { places, delivery, clock, begin, store, attempts } = await world({}, { places: 1 });
    await begin();
    clock.now += 3000;
    expect(delivery.behindMs).toBe(0);
    delivery.tick();
    const leave = occupy(places);
    await store(6);
    clock.now += 1500;
    delivery.tick();
    expect(delivery.behindMs).toBe(1500);
    leave();
    await attempts(1);
    await turns();
    expect(delivery.behindMs).toBe(0);
    clock.now += 500;
    occupy(places);
    await store(7);
    await turns();
    expect(delivery.behindMs).toBe(500);
    clock.now = 0;
    expect(delivery.behindMs).toBe(0);
  });
});

describe("a delivery that fails", () => {
  it("is tried again later, with the same events", async () => {
    const { clock, stored, receiver, begin, store, attempts, bodies, openings } = await world();
    receiver.answer = 500;
    await begin();
    await store(6);
    await attempts(1);
    expect(stored).toMatchObject({
      ...{ cursor: behind(5), failures: 1, failing_since: 1_000_000n, failure: "status 500" },
      ...{ next_attempt_at: 1_005_000n, paused: null },
    });
    clock.now = 1_004_999;
    await begin();
    expect([bodies().length, openings.count]).toEqual([1, 1]);
    clock.now = 1_005_000;
    await begin();
    await attempts(2);
    expect(bodies().map(seqnos)).toEqual([[6], [6]]);
    expect(stored).toMatchObject({ failures: 2, failing_since: 1_000_000n, next_attempt_at: 1_015_000n });
    receiver.answer = 204;
    clock.now = 1_015_000;
    await begin();
    await attempts(3);
    expect(stored).toMatchObject({ failures: 0, failing_since: null, failure: null, next_attempt_at: null });
    expect(stored.cursor).toBe(bodies()[2].cursor);
  });

  it("has as reason that nobody answered", async () => {
    const { stored, receiver, begin, store, attempts, outcomes } = await world();
    receiver.answer = "closed";
    await begin();
    await store(6);
    await attempts(1);
    const failure = "no answer: the connection failed";
    expect([stored.failure, outcomes]).toEqual([failure, [{ status: null, failure }]]);
  });

  it("pauses the webhook if its receiver is gone", async () => {
    const { stored, delivery, receiver, begin, store, attempts, changes } = await world();
    receiver.answer = 410;
    await begin();
    await store(6);
    await attempts(1);
    await turns();
    expect(stored).toMatchObject({
      ...{ paused: "its receiver is gone (status 410)", next_attempt_at: null, failures: 1 },
    });
    expect([delivery.isOver, changes.count]).toEqual([true, 1]);
  });

  it("pauses the webhook after three days", async () => {
    const since = { failures: 60, failing_since: BigInt(1_000_000 - 3 * dayMs) };
    const { stored, delivery, receiver, begin, store, attempts } = await world(since);
    receiver.answer = 503;
    await begin();
    await store(6);
    await attempts(1);
    await turns();
    expect(stored).toMatchObject({
      ...{ paused: "no delivery succeeded for three days: status 503", next_attempt_at: null, failures: 61 },
    });
    expect(delivery.isOver).toBe(true);
  });
});

describe("a delivery whose place is not in the index", () => {
  it("pauses the webhook", async () => {
    const { stored, delivery, begin, changes, errors } = await world({ cursor: behind(1) });
    await begin();
    expect(stored.paused).toBe(
      "the events behind its cursor are not in the index any more (cursor-too-old): replay it from another place",
    );
    expect([delivery.isOver, changes.count, errors]).toEqual([true, 1, []]);
    const other = await world({ cursor: "none" });
    await other.begin();
    expect(other.stored.paused).toContain("(invalid-params)");
  });

  it("tells of a revert first", async () => {
    const { index, hub, attempts, bodies, make, stored, store } = await world();
    await store(6);
    const client = { isFull: false, send: () => {}, tell: () => {} };
    hub.subscribe(client, nothing);
    await store(7);
    index.units = [...index.units.filter(({ seqno }) => seqno < 7), unitAt(7, 2)];
    hub.indexChanged();
    await turnsUntil("the revert", () => hub.reverts.count === 1);
    stored.cursor = behind(7);
    const delivery = make();
    delivery.tick();
    await attempts(1);
    expect(bodies()[0].events[0].event).toEqual({ type: "reverted", mc_seqno: 6 });
  });

  it("tells that pending events are unknown if some were delivered before", async () => {
    const pending = { choice: { kind: "blocks", finality: "pending", include: [] } };
    const { begin, attempts, bodies } = await world({ ...pending, attempts: 3n });
    await begin();
    await attempts(1);
    expect(bodies()[0].events[0].event).toMatchObject({ type: "lagging", speculative: "reset" });
    const first = await world({ ...pending, attempts: 0n });
    await first.begin();
    await first.store(6);
    await first.attempts(1);
    expect(first.bodies()[0].events[0].event.type).toBe("block");
    const final = await world({ attempts: 3n });
    await final.begin();
    await final.store(6);
    await final.attempts(1);
    expect(final.bodies()[0].events[0].event.type).toBe("block");
  });
});

describe("failures of the database", () => {
  it("when a feed is opened are passed over for a second", async () => {
    const { clock, index, begin, openings, errors, stored } = await world();
    index.onStatement = () => {
      throw gone();
    };
    await begin();
    expect([openings.count, errors, stored.paused]).toEqual([1, [], null]);
    clock.now += 999;
    await begin();
    expect(openings.count).toBe(1);
    index.onStatement = () => {
      throw new Error("a defect");
    };
    clock.now += 1;
    await begin();
    expect([openings.count, errors.map(({ message }) => message)]).toEqual([2, ["a defect"]]);
  });

  it("during an attempt begin it again, with its events", async () => {
    const { clock, database, begin, store, attempts, bodies, errors } = await world();
    database.onStatement = (name) => {
      if (name === "beginAttempt") throw gone();
    };
    await begin();
    await store(6);
    await turnsUntil("the failure", () => database.count("beginAttempt") === 1);
    database.onStatement = () => {};
    await store(7);
    await turns();
    expect(bodies()).toEqual([]);
    clock.now += 1000;
    await begin();
    await attempts(1);
    expect([bodies().map(seqnos), errors]).toEqual([[[6, 7]], []]);
  });
});

describe("a delivery whose webhook has changed", () => {
  it("ends before the next attempt", async () => {
    const { delivery, stored, receiver, begin, store, changes } = await world();
    await begin();
    stored.version++;
    await store(6);
    await turnsUntil("the end", () => delivery.isOver);
    expect([receiver.requests, changes.count]).toEqual([[], 1]);
  });

  it("ends behind the attempt during which it changed", async () => {
    const { delivery, stored, receiver, begin, store, attempts, changes } = await world();
    await begin();
    const connect = receiver.network.connect;
    receiver.network.connect = (...given) => {
      stored.version++;
      return connect(...given);
    };
    await store(6);
    await attempts(1);
    await turnsUntil("the end", () => delivery.isOver);
    expect([changes.count, stored.attempts]).toEqual([1, 1n]);
  });

  it("is retired at once if it does nothing", async () => {
    const { delivery, hub, begin, store, receiver, changes } = await world();
    await begin();
    expect(hub.subscriptions).toBe(1);
    delivery.retire();
    expect([delivery.isOver, hub.subscriptions, changes.count]).toEqual([true, 0, 0]);
    await store(6);
    delivery.tick();
    await turns();
    expect(receiver.requests).toEqual([]);
  });

  it("is retired behind its attempt", async () => {
    const { delivery, receiver, begin, store, attempts, changes } = await world();
    await begin();
    const connect = receiver.network.connect;
    receiver.network.connect = (...given) => {
      delivery.retire();
      return connect(...given);
    };
    await store(6);
    await attempts(1);
    await turnsUntil("the end", () => delivery.isOver);
    expect(changes.count).toBe(1);
  });
});

describe("a delivery that is closed", () => {
  it("gives up its attempt", async () => {
    const { delivery, database, receiver, stored, begin, store, errors, outcomes } = await world();
    receiver.answer = "silent";
    await begin();
    await store(6);
    await turnsUntil("the request", () => receiver.requests.length === 1);
    expect(stored.sending).toBe(true);
    await delivery.close();
    expect([stored.sending, database.count("abandonAttempt"), receiver.open]).toEqual([false, 1, 0]);
    expect([errors, outcomes, delivery.isOver]).toEqual([[], [], true]);
    delivery.tick();
    await store(7);
    await turns();
    expect(receiver.requests).toHaveLength(1);
  });

  it("waits no longer for a place", async () => {
    const { delivery, places, begin, store, receiver } = await world({}, { places: 1 });
    let leave = () => {};
    places.take({
      keyId: "key",
      placed: (free) => {
        leave = free;
      },
    });
    await begin();
    await store(6);
    await turns();
    await delivery.close();
    leave();
    await turns();
    let isFree = false;
    places.take({
      keyId: "key",
      placed: () => {
        isFree = true;
      },
    });
    expect([receiver.requests, isFree]).toEqual([[], true]);
  });

  it("opens no feed any more", async () => {
    const { delivery, hub, index } = await world();
    let isOpened = false;
    index.onStatement = async () => {
      isOpened = true;
      await turns();
    };
    delivery.tick();
    await delivery.close();
    expect([hub.subscriptions, isOpened]).toEqual([0, isOpened]);
  });
});

describe("the progress of a delivery without events", () => {
  const transactions = { choice: { kind: "transactions", finality: "finalized", include: [] } };

  it("is that of the hub, if it is further than what is stored", async () => {
    const { delivery, begin, store } = await world(transactions);
    expect(delivery.moved).toBeUndefined();
    await begin();
    expect(delivery.moved).toBeUndefined();
    await store(6, 7);
    expect(delivery.moved).toEqual({ id, version: 0, cursor: behind(7) });
  });

  it("is unknown while events wait", async () => {
    const { delivery, places, begin, store } = await world({}, { places: 1 });
    places.take({ keyId: "key", placed: () => {} });
    await begin();
    await store(6);
    expect(delivery.moved).toBeUndefined();
    await turns();
    expect(delivery.moved).toBeUndefined();
  });
});
