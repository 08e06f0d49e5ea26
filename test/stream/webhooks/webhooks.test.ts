import { describe, expect, it } from "vitest";
import { keyOfCursor } from "../../../server/stream/subscriptions/event-key.js";
import { Targets } from "../../../server/stream/webhooks/targets.js";
import { Waiters } from "../../../server/stream/webhooks/waiters.js";
import { type WebhookLimits, Webhooks } from "../../../server/stream/webhooks/webhooks.js";
import {
  webhookCreateParams,
  webhookReplayParams,
  webhookUpdateParams,
} from "../../../shared/schema/streams/webhook-params.js";
import { behind, chain, memoryHub } from "./memory-hub.js";
import { publicTargets } from "./memory-receiver.js";
import { MemoryWebhooks } from "./memory-webhooks.js";

const owner = "key";
const creator = (owner: string, isLocal = false) => ({ owner, isLocal: async () => isLocal });
const url = "https://example.com/hook";
const dayMs = 24 * 60 * 60_000;
const raw = (byte: string) => `0:${byte.repeat(32)}`;
const [one, two, three] = ["01", "02", "03"].map(raw) as [string, string, string];

type Caller = { by?: string; isLocal?: boolean; version?: string };

/** Webhooks of keys with these limits, over an index with the blocks 3 to 8. */
async function world({ isDevnet = false, ...limits }: { isDevnet?: boolean } & Partial<WebhookLimits> = {}) {
  const { hub } = await memoryHub(3, 4, 5, 6, 7, 8);
  const [database, waiters] = [new MemoryWebhooks(), new Waiters()];
  const clock = { now: 1_000_500 };
  const texts: number[] = [];
  const webhooks = new Webhooks({
    ...{ hub, waiters, attemptMs: 1000, now: () => clock.now },
    targets: new Targets({ isDevnet, networks: undefined }),
    limitsOf: (keyId) =>
      keyId === "gone"
        ? undefined
        : { webhooks: 3, deliveries: 1, accounts: 3, firehose: 1, history: 4, ...limits },
    randomText: (bytes) => {
      texts.push(bytes);
      return `random${texts.length}`;
    },
  });
  webhooks.connect(database);
  const create = (more: object = {}, { by = owner, isLocal, version }: Caller = {}) =>
    webhooks.create(
      creator(by, isLocal),
      webhookCreateParams.parse({ url, kind: "blocks", ...more }),
      version,
    );
  const update = (id: string, change: object, { by = owner, isLocal }: Caller = {}) =>
    webhooks.update(creator(by, isLocal), webhookUpdateParams.parse({ id, ...change }));
  const replay = (id: string, from: unknown, by = owner) =>
    webhooks.replay(by, webhookReplayParams.parse({ id, from }));
  return { hub, database, waiters, clock, texts, webhooks, create, update, replay };
}

const ofAccounts = (...accounts: string[]) => ({ kind: "transactions", accounts });
const places = (cursor: string) => keyOfCursor(cursor, chain)?.seqno;

describe("a new webhook", () => {
  it("has a random id and secret, and begins behind the newest block", async () => {
    const { create, texts, database } = await world();
    const made = await create();
    expect(made).toEqual({
      ...{ id: "wh_random2", url, kind: "blocks", finality: "finalized", include: ["messages"] },
      ...{ cursor: behind(8), created_at: 1000, paused: null, failing_since: null, failure: null },
      ...{ next_attempt_at: null, secret: "whsec_random1" },
    });
    expect(texts).toEqual([32, 16]);
    expect(database.rows.get("wh_random2")).toMatchObject({
      ...{ key_id: owner, created_at: 1_000_500n, accounts: 0, firehose: false, secret: "whsec_random1" },
    });
    expect(database.notified).toEqual(["changed wh_random2"]);
    expect(database.asked.slice(0, 3)).toEqual(["begin", "lock", "use"]);
  });

  it("has the secret, the place and the choice that were given", async () => {
    const { create, database } = await world();
    const secret = "a-secret-of-its-owner";
    const made = await create({ ...ofAccounts(one, two), secret, from: { mc_seqno: 6 } });
    expect([made.secret, made.cursor, made.accounts]).toEqual([
      secret,
      behind(5),
      [one, two].map((address) => address.toUpperCase()),
    ]);
    expect(database.rows.get(made.id)).toMatchObject({ accounts: 2, firehose: false });
    const all = await create({ kind: "transactions" });
    expect(database.rows.get(all.id)).toMatchObject({ accounts: 0, firehose: true });
  });

  it("knows the types of actions of its connection", async () => {
    const { create, database } = await world();
    const { id } = await create({ kind: "actions", accounts: [one] }, { version: "v1" });
    expect(database.rows.get(id)!.choice).toMatchObject({ supported_action_types: ["v1"] });
  });

  it.each<[string, string, string]>([
    ["http://example.com/hook", "url must begin with https://", "another protocol"],
    ["https://[1", "failed to parse url", "a text that is no URL"],
    ["https://10.0.0.1/", "url must name a public host", "a private host"],
    ["http://127.0.0.1:99/", "url must begin with https://", "this machine"],
  ])("is refused %s", async (refused, message) => {
    const { create } = await world();
    await expect(create({ url: refused })).rejects.toMatchObject({
      ...{ code: "invalid-params", message, data: { param: "url" } },
    });
  });

  it("has a normal URL", async () => {
    const { create } = await world();
    expect((await create({ url: "https://EXAMPLE.com" })).url).toBe("https://example.com/");
  });

  const near = "http://127.0.0.1:99/a?b";

  it("may be on the machine of a devnet if its creator is there, which is stored", async () => {
    const { create, database } = await world({ isDevnet: true });
    await expect(create({ url: near })).rejects.toMatchObject({
      ...{ code: "invalid-params", message: "url must name a public host", data: { param: "url" } },
    });
    const { id } = await create({ url: near }, { isLocal: true });
    expect(database.rows.get(id)).toMatchObject({ url: near, loopback: true });
    const far = await create();
    expect(database.rows.get(far.id)).toMatchObject({ url, loopback: false });
  });

  it("has the right of the caller who changed its URL last", async () => {
    const { create, update, database } = await world({ isDevnet: true });
    const { id } = await create({ url: near }, { isLocal: true });
    await update(id, { paused: true });
    expect(database.rows.get(id)).toMatchObject({ url: near, loopback: true });
    await expect(update(id, { url: near })).rejects.toThrow("url must name a public host");
    await update(id, { url });
    expect(database.rows.get(id)).toMatchObject({ url, loopback: false });
    await update(id, { url: near }, { isLocal: true });
    expect(database.rows.get(id)).toMatchObject({ url: near, loopback: true });
  });

  it("needs a valid key and a database", async () => {
    const { create, hub, waiters } = await world();
    await expect(create({}, { by: "gone" })).rejects.toMatchObject({ code: "unknown-key" });
    const options = {
      hub,
      waiters,
      targets: publicTargets,
      attemptMs: 1,
      now: () => 0,
      randomText: () => "",
    };
    const limits = { webhooks: 1, deliveries: 1, accounts: 1, firehose: 1, history: 1 };
    const early = new Webhooks({ ...options, limitsOf: () => limits });
    const params = webhookCreateParams.parse({ url, kind: "blocks" });
    await expect(early.create(creator(owner), params, undefined)).rejects.toMatchObject({
      ...{ code: "unavailable", message: "database is not available" },
    });
    // The first database stays.
    early.connect(new MemoryWebhooks());
    const other = new MemoryWebhooks();
    early.connect(other);
    await early.create(creator(owner), params, undefined);
    expect(other.asked).toEqual([]);
  });

  it("is within the limits of its plan", async () => {
    const limitOf = (limit: string) => ({ code: "rate-limited", data: { limit } });
    const { create, database } = await world();
    await create(ofAccounts(one, two));
    await expect(create(ofAccounts(one, two))).rejects.toMatchObject(limitOf("accounts"));
    await create(ofAccounts(three));
    await create({ kind: "transactions" });
    await expect(create({ kind: "transactions" })).rejects.toMatchObject(limitOf("firehose"));
    await expect(create()).rejects.toMatchObject(limitOf("webhooks"));
    await create({}, { by: "other" });
    expect(database.rows.size).toBe(4);
    const past = await world({ history: 2 });
    await expect(past.create({ from: { mc_seqno: 5 } })).rejects.toMatchObject(limitOf("history"));
    expect((await past.create({ from: { mc_seqno: 6 } })).cursor).toBe(behind(5));
    expect(past.database.rows.size).toBe(1);
  });
});

describe("the webhooks of a key", () => {
  it("are listed, oldest first, without secrets", async () => {
    const { create, webhooks, clock } = await world();
    const first = await create();
    clock.now += 1000;
    const second = await create({ kind: "accounts", accounts: [one] });
    await create({}, { by: "other" });
    const withoutSecret = ({ secret: _, ...webhook }: typeof first) => webhook;
    expect(await webhooks.list(owner)).toEqual([first, second].map(withoutSecret));
    expect(await webhooks.list("none")).toEqual([]);
  });
});

describe("a change of a webhook", () => {
  it("is told to the processes, and raises its version", async () => {
    const { create, update, database } = await world();
    const { id } = await create();
    const changed = await update(id, { url: "https://example.com/other" });
    expect(changed).toMatchObject({ id, url: "https://example.com/other" });
    expect("secret" in changed).toBe(false);
    expect(database.rows.get(id)).toMatchObject({ version: 1, url: "https://example.com/other" });
    expect(database.notified).toEqual([`changed ${id}`, `changed ${id}`]);
    expect(database.count("lock")).toBe(2);
    await expect(update(id, { url: "https://10.0.0.1" })).rejects.toMatchObject({ data: { param: "url" } });
    expect((await update(id, {})).url).toBe("https://example.com/other");
  });

  it("adds to its lists and removes from them", async () => {
    const { create, update, database } = await world();
    const { id } = await create(ofAccounts(one, two));
    const changed = await update(id, { add: { accounts: [three] }, remove: { accounts: [one] } });
    expect(changed.accounts).toEqual([two, three]);
    expect(database.rows.get(id)).toMatchObject({ accounts: 2 });
    expect((await update(id, { add: { accounts: [one] } })).accounts).toEqual([two, three, one]);
    expect((await update(id, { remove: { accounts: [two] } })).accounts).toEqual([three, one]);
  });

  it("is refused lists that its kind does not have, and more than its plan allows", async () => {
    const { create, update, database } = await world();
    const { id } = await create(ofAccounts(one, two));
    await expect(update(id, { add: { jetton_masters: [one] } })).rejects.toMatchObject({
      ...{ code: "invalid-params", message: "jetton_masters cannot be used with kind transactions" },
      data: { param: "jetton_masters" },
    });
    await update(id, { add: { accounts: [three] } });
    await expect(update(id, { add: { accounts: [raw("04")] } })).rejects.toMatchObject({
      ...{ code: "rate-limited", data: { limit: "accounts" } },
    });
    // Its own accounts do not count twice, those of other webhooks do.
    await update(id, { remove: { accounts: [one, two] } });
    await create(ofAccounts(one, two));
    await expect(update(id, { add: { accounts: [one] } })).rejects.toMatchObject({ code: "rate-limited" });
    expect(database.rows.get(id)!.accounts).toBe(1);
  });

  it("of its secret keeps the one before for a day", async () => {
    const { create, update, database, clock } = await world();
    const { id, secret } = await create();
    clock.now += 1;
    const given = await update(id, { secret: "another-secret-of-it" });
    expect(given.secret).toBe("another-secret-of-it");
    expect(database.rows.get(id)).toMatchObject({
      ...{ secret: "another-secret-of-it", old_secret: secret },
      old_secret_until: BigInt(clock.now + dayMs),
    });
    const random = await update(id, { new_secret: true });
    expect(random.secret).toBe("whsec_random3");
    expect(database.rows.get(id)).toMatchObject({ old_secret: "another-secret-of-it" });
    const same = await update(id, { new_secret: false });
    expect("secret" in same).toBe(false);
    expect(database.rows.get(id)!.secret).toBe("whsec_random3");
  });

  it("pauses and resumes it", async () => {
    const { create, update, database } = await world();
    const { id } = await create();
    expect((await update(id, { paused: true })).paused).toBe("paused by its owner");
    Object.assign(database.rows.get(id)!, {
      ...{ failures: 3, failing_since: 5n, failure: "status 500", next_attempt_at: 7n },
    });
    expect((await update(id, {})).paused).toBe("paused by its owner");
    await update(id, { paused: false });
    expect(database.rows.get(id)).toMatchObject({
      ...{ paused: null, failures: 0, failing_since: null, failure: null, next_attempt_at: null },
    });
  });

  it("is of its owner's webhooks only", async () => {
    const { create, update, webhooks, replay } = await world();
    const absent = { code: "absent", message: "there is no such webhook", data: { param: "id" } };
    const { id } = await create({}, { by: "other" });
    await expect(update(id, { paused: true })).rejects.toMatchObject(absent);
    await expect(replay(id, { mc_seqno: 6 })).rejects.toMatchObject(absent);
    await expect(webhooks.deliveries(owner, { id, limit: 10, offset: 0 })).rejects.toMatchObject(absent);
    expect(await webhooks.delete(owner, id)).toBe(false);
    expect(await webhooks.list("other")).toHaveLength(1);
  });
});

describe("a replay", () => {
  it("begins at another place, and resumes the webhook", async () => {
    const { create, replay, database } = await world();
    const { id } = await create();
    Object.assign(database.rows.get(id)!, {
      ...{ paused: "for a reason", failures: 3, failing_since: 5n, failure: "x", next_attempt_at: 7n },
    });
    const changed = await replay(id, { mc_seqno: 5 });
    expect([places(changed.cursor), changed.paused]).toEqual([4, null]);
    expect(database.rows.get(id)).toMatchObject({
      ...{ cursor: behind(4), replays: 1, failures: 0, failing_since: null, next_attempt_at: null },
    });
    await replay(id, { mc_seqno: 6 });
    expect(database.rows.get(id)).toMatchObject({ replays: 2, version: 2 });
  });

  it("is within the limit of the plan", async () => {
    const { create, replay } = await world({ history: 1 });
    const { id } = await create();
    await expect(replay(id, { mc_seqno: 6 })).rejects.toMatchObject({ data: { limit: "history" } });
    await expect(replay(id, { mc_seqno: 6 }, "gone")).rejects.toMatchObject({ code: "unknown-key" });
  });
});

describe("the end of a webhook", () => {
  it("is told to the processes", async () => {
    const { create, webhooks, database } = await world();
    const { id } = await create();
    expect([await webhooks.delete(owner, id), await webhooks.delete(owner, id)]).toEqual([true, false]);
    expect([database.rows.size, database.notified]).toEqual([0, [`changed ${id}`, `changed ${id}`]]);
  });

  it("is waited for while a process delivers", async () => {
    const { create, webhooks, database, waiters } = await world();
    const { id } = await create();
    database.rows.get(id)!.sending = true;
    let isDeleted = false;
    const deleting = webhooks.delete(owner, id).then((was) => {
      isDeleted = was;
    });
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect([isDeleted, database.rows.size]).toEqual([false, 0]);
    waiters.stopped(id);
    await deleting;
    expect(isDeleted).toBe(true);
  });

  it("is not waited for longer if the database fails", async () => {
    const { create, webhooks, database } = await world();
    const { id } = await create();
    database.onStatement = () => {
      throw new Error("gone");
    };
    await expect(webhooks.delete(owner, id)).rejects.toThrow("gone");
  });
});

describe("the deliveries of a webhook", () => {
  it("are listed with their times in seconds", async () => {
    const { create, webhooks, database } = await world();
    const { id } = await create();
    const attempt = (at: bigint) => ({
      ...{ at, duration_ms: 7, events: 2, after_cursor: "a", cursor: "b", status: 200, failure: null },
    });
    database.attempts.set(id, [attempt(9999n), attempt(5000n), attempt(1n)]);
    expect(await webhooks.deliveries(owner, { id, limit: 2, offset: 1 })).toEqual(
      [5, 0].map((at) => ({
        ...{ at, after: "a", cursor: "b", duration_ms: 7, events: 2, status: 200, failure: null },
      })),
    );
  });
});
