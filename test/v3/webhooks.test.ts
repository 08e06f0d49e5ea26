import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { WebhookAttempt } from "../../client/index.js";
import type { WebhookDelivery } from "../../client/webhooks/index.js";
import type { JsonSchema } from "../../shared/rpc/open-rpc.js";
import { SchemaCheck } from "../helpers/http/schema-check.js";
import { ok, Receiver } from "../helpers/peers/webhook-receiver.js";
import { addKey } from "../helpers/services/keys.js";
import { WebhookService } from "../helpers/services/webhook-service.js";
import { until } from "../helpers/until.js";

type OpenApi = {
  components: { schemas: Record<string, JsonSchema> };
  webhooks: {
    events: {
      post: {
        parameters: { name: string; schema: JsonSchema }[];
        requestBody: { content: { "application/json": { schema: JsonSchema } } };
      };
    };
  };
};

const account = `0:${"5A".repeat(32)}`;
const other = `0:${"5B".repeat(32)}`;
const nowhere = { url: "https://shop.example/events", kind: "blocks" };

let hooks: WebhookService;
/** A key beside the built-in one, with a small plan. */
let key: string;
beforeAll(async () => {
  hooks = await WebhookService.start();
  const small = { rps: 100, burst: 100, streams: { webhooks: 2, accounts: 1, firehose: 1 } };
  key = await addKey(hooks.service, { plan: "small", plans: { small } });
}, 300_000);
afterAll(() => hooks?.close());

/** Creates a webhook, which is deleted with the test. */
async function created(params: object = nowhere, key?: string) {
  const webhook = await hooks.create(params, key === undefined ? {} : { key });
  onTestFinished(async () => {
    await hooks.call("v3.webhooks.delete", { id: webhook.id }, key === undefined ? {} : { key });
  });
  return webhook;
}

/** A receiver that takes everything, and the events that it has. */
async function taking() {
  const receiver = await Receiver.start();
  const deliveries = () => receiver.requests.map(({ body }) => JSON.parse(body) as WebhookDelivery);
  return { receiver, deliveries, events: () => deliveries().flatMap(({ events }) => events) };
}

const blocksOf = (events: WebhookDelivery["events"]) =>
  events.flatMap(({ event }) => (event.type === "block" ? [event.block.seqno] : []));

describe("v3.webhooks.create", () => {
  test("delivers matching events, in requests as OpenAPI describes them, over REST as well", async () => {
    const { json } = await hooks.service.get("/api/v3/openapi.json");
    const document = json as OpenApi;
    const { parameters, requestBody } = document.webhooks.events.post;
    const { receiver, events } = await taking();
    await hooks.mine(1);
    const { json: webhook } = await hooks.service.post("/api/v3/webhooks/create", {
      url: receiver.url,
      kind: "transactions",
      accounts: [account],
      include: ["messages"],
    });
    const { id } = webhook as { id: string };
    onTestFinished(async () => void (await hooks.call("v3.webhooks.delete", { id })));
    await hooks.call("devnet.faucet", { address: other });
    const { tx_hash: hash } = (await hooks.call("devnet.faucet", { address: account })) as {
      tx_hash: string;
    };
    await until("the delivery", () => events().length > 0);
    expect(events()).toMatchObject([
      { finality: "finalized", event: { type: "transaction", transaction: { account, hash } } },
    ]);
    const check = new SchemaCheck(document);
    for (const { headers, body } of receiver.requests) {
      for (const { name, schema } of parameters)
        expect([name, check.problems(schema, headers[name.toLowerCase()])]).toEqual([name, []]);
      const { schema } = requestBody.content["application/json"];
      expect(check.problems(schema, JSON.parse(body))).toEqual([]);
      expect(check.problems(schema, { ...JSON.parse(body), events: [{}] })).not.toEqual([]);
    }
  });

  test("answers with the webhook and its secret, which nothing shows again", async () => {
    const given = "a secret that is hard to guess".replaceAll(" ", "-");
    const webhook = await created({ ...nowhere, secret: given, include: ["messages"] });
    expect(webhook).toEqual({
      id: expect.stringMatching(/^wh_[\w-]{22}$/),
      url: nowhere.url,
      kind: "blocks",
      finality: "finalized",
      include: ["messages"],
      cursor: expect.any(String),
      created_at: expect.any(Number),
      paused: null,
      failing_since: null,
      failure: null,
      next_attempt_at: null,
      secret: given,
    });
    const made = await created();
    expect(made.secret).toMatch(/^whsec_[\w-]{43}$/);
    await hooks.call("v3.webhooks.update", { id: made.id, secret: `${given}2` });
    const shown = JSON.stringify([
      await hooks.list(),
      await hooks.call("devnet.calls", {}),
      await hooks.call("v3.webhooks.deliveries", { id: made.id }),
      hooks.service.logLines,
    ]);
    expect(shown).toContain("v3.webhooks.create");
    for (const secret of [given, made.secret]) expect(shown).not.toContain(secret);
  });

  test.each([
    [{ url: "ftp://shop.example/" }, /error converting value for "url"/],
    [{ url: "https://[1/" }, "failed to parse url"],
    [{ url: "https://10.1.2.3/" }, "url must name a public host"],
    [{ url: `https://shop.example/${"x".repeat(2048)}` }, /too long/],
    [{ kind: "trace" }, /kind should be one of/],
    [{ kind: "blocks", accounts: [account] }, "accounts cannot be used with kind blocks"],
    [{ secret: "short" }, /must have 16 to 256 printable ASCII characters/],
    [{ from: "no-cursor" }, "from contains no cursor of this chain"],
  ])("refuses %j", async (params, message) => {
    const answer = await hooks.call("v3.webhooks.create", { ...nowhere, ...params });
    expect(answer).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
    expect(await hooks.list()).toEqual([]);
  });

  test("delivers to the devnet's machine for any key of a caller there, and for nobody else's", async () => {
    const { receiver, events } = await taking();
    const params = { url: receiver.url, kind: "blocks" };
    const far = { key, headers: { Via: "1.1 proxy" } };
    const refusal = "url must name a public host";
    expect(await hooks.call("v3.webhooks.create", params, far)).toBe(refusal);
    const { id } = await created(params, key);
    expect(await hooks.call("v3.webhooks.update", { id, url: receiver.url }, far)).toBe(refusal);
    expect(await hooks.call("v3.webhooks.update", { id, paused: false }, far)).toMatchObject({ id });
    const block = await hooks.mine(1);
    await until("the block", () => blocksOf(events()).includes(block));
  });
});

describe("v3.webhooks.list", () => {
  test("shows the webhooks of the caller's key only, by GET too", async () => {
    const mine = await created();
    const theirs = await created(nowhere, key);
    expect(await hooks.list()).toMatchObject([{ id: mine.id }]);
    expect(await hooks.list({ key })).toMatchObject([{ id: theirs.id }]);
    const answers = await Promise.all([
      hooks.service.get("/api/v3/webhooks/list"),
      hooks.service.get("/api/v3/webhooks/list", { key }),
    ]);
    expect(answers.map(({ json }) => json)).toMatchObject([
      { webhooks: [{ id: mine.id }] },
      { webhooks: [{ id: theirs.id }] },
    ]);
    const firehose = { url: nowhere.url, kind: "actions" };
    await created({ url: nowhere.url, kind: "transactions" }, key);
    expect(await hooks.call("v3.webhooks.create", firehose, { key })).toMatch(/^limit of \w+ exceeded/);
    for (const method of ["update", "deliveries"])
      expect(await hooks.call(`v3.webhooks.${method}`, { id: theirs.id })).toBe("there is no such webhook");
    const replay = { id: theirs.id, from: { mc_seqno: 1 } };
    expect(await hooks.call("v3.webhooks.replay", replay)).toBe("there is no such webhook");
    expect(await hooks.call("v3.webhooks.delete", { id: theirs.id })).toBe(false);
    expect(await hooks.list({ key })).toMatchObject([{ id: theirs.id }, {}]);
  });

  test("needs a key, except for callers on the machine of a devnet, who have those of the built-in key", async () => {
    const mine = await created();
    expect(await hooks.list({ key: null })).toMatchObject([{ id: mine.id }]);
    const answer = await hooks.service.get("/api/v3/webhooks/list", {
      key: null,
      headers: { Origin: "https://other.example" },
    });
    expect([answer.status, answer.json]).toEqual([403, { error: "v3.webhooks.list needs an API key" }]);
  });
});

describe("v3.webhooks.update", () => {
  test("changes the lists for events after the cursor, and an empty list matches nothing", async () => {
    const { receiver, events } = await taking();
    const { id } = await created({ url: receiver.url, kind: "transactions", accounts: [account] });
    const change = { id, add: { accounts: [other] }, remove: { accounts: [account] } };
    expect(await hooks.call("v3.webhooks.update", change)).toMatchObject({ id, accounts: [other] });
    await hooks.call("devnet.faucet", { address: account });
    await hooks.call("devnet.faucet", { address: other });
    await until("the delivery", () => events().length > 0);
    const none = { id, remove: { accounts: [other] } };
    expect(await hooks.call("v3.webhooks.update", none)).toMatchObject({ accounts: [] });
    await hooks.call("devnet.faucet", { address: other });
    const url = receiver.url;
    await hooks.call("v3.webhooks.update", { id, add: { accounts: [account] }, url: `${url}moved` });
    await hooks.call("devnet.faucet", { address: account });
    await until("the second delivery", () => receiver.requests.some(({ path }) => path === "/moved"));
    const accounts = events().map(({ event }) => event.type === "transaction" && event.transaction.account);
    expect(accounts).toEqual([other, account]);
    const foreign = { id, add: { jetton_masters: [account] } };
    expect(await hooks.call("v3.webhooks.update", foreign)).toBe(
      "jetton_masters cannot be used with kind transactions",
    );
  });
});

test.each([
  ["delete", {}],
  ["deliveries", {}],
  ["update", { paused: true }],
  ["replay", { from: { mc_seqno: 1 } }],
])("v3.webhooks.%s refuses an id with the character 0, which no database takes", async (method, params) => {
  expect(await hooks.call(`v3.webhooks.${method}`, { id: "wh_\0", ...params })).toBe(
    'failed to decode: schema: error converting value for "id"',
  );
});

describe("v3.webhooks.delete", () => {
  test("returns whether there was one", async () => {
    const { id } = await hooks.create(nowhere);
    expect(await hooks.call("v3.webhooks.delete", { id })).toBe(true);
    expect(await hooks.call("v3.webhooks.delete", { id })).toBe(false);
    expect(await hooks.list()).toEqual([]);
  });
});

describe("v3.webhooks.deliveries", () => {
  test("has the last attempts, newest first, page by page", async () => {
    const { receiver } = await taking();
    let status = 500;
    receiver.answer = (response) => void response.writeHead(status).end();
    const { id, cursor } = await created({ url: receiver.url, kind: "blocks" });
    await hooks.mine(1);
    const attempts = async (page: object = {}) =>
      ((await hooks.call("v3.webhooks.deliveries", { id, ...page })) as { deliveries: WebhookAttempt[] })
        .deliveries;
    await until("the failure", async () => (await attempts()).length > 0);
    status = 204;
    hooks.clock.pass(10_000);
    await until("the success", async () => (await attempts())[0]!.status === 204);
    // A busy machine may have failed more than once.
    const all = await attempts();
    const place = { events: 1, after: cursor, cursor: expect.any(String), duration_ms: expect.any(Number) };
    expect([all[0], all.at(-1)]).toEqual([
      { at: expect.any(Number), ...place, status: 204, failure: null },
      { at: expect.any(Number), ...place, status: 500, failure: "status 500" },
    ]);
    expect(await attempts({ limit: 1, offset: all.length - 1 })).toEqual(all.slice(-1));
  });
});

describe("v3.webhooks.replay", () => {
  test("delivers again from a cursor, also for a paused webhook", async () => {
    const { receiver, events, deliveries } = await taking();
    const webhook = await created({ url: receiver.url, kind: "blocks" });
    const last = await hooks.mine(3);
    await until("the blocks", () => blocksOf(events()).at(-1) === last);
    await hooks.call("v3.webhooks.update", { id: webhook.id, paused: true });
    const before = deliveries().length;
    const again = { id: webhook.id, from: { mc_seqno: last - 1 } };
    expect(await hooks.call("v3.webhooks.replay", again)).toMatchObject({ paused: null });
    const replayed = () =>
      blocksOf(
        deliveries()
          .slice(before)
          .flatMap((each) => each.events),
      );
    await until("the blocks again", () => replayed().at(-1) === last);
    expect(replayed()).toEqual([last - 1, last]);
    await hooks.call("v3.webhooks.replay", { id: webhook.id, from: webhook.cursor });
    await until("all of them", () => replayed().length === 5);
    expect(replayed().slice(2)).toEqual([last - 2, last - 1, last]);
  });
});

test("Webhooks receive any body of an answer, and wait only for its head", async () => {
  const { receiver, events } = await taking();
  receiver.answer = (response) => {
    response.writeHead(200, { "content-length": "1000000000" });
    response.write("not as much");
  };
  await created({ url: receiver.url, kind: "blocks" });
  const first = await hooks.mine(1);
  await until("the first block", () => blocksOf(events()).includes(first));
  const second = await hooks.mine(1);
  await until("the second block", () => blocksOf(events()).includes(second));
  expect(blocksOf(events())).toEqual([first, second]);
  receiver.answer = ok;
});
