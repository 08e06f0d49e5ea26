// A key of an ordinary plan from outside, on a devnet that is shared through a proxy.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { WebhookAttempt } from "../../client/index.js";
import type { Endpoint } from "../../server/metadata/network.js";
import { internet } from "../../server/metadata/network.js";
import { Receiver } from "../helpers/peers/webhook-receiver.js";
import { addKey } from "../helpers/services/keys.js";
import type { AskOptions } from "../helpers/services/service.js";
import { WebhookService } from "../helpers/services/webhook-service.js";
import { until } from "../helpers/until.js";

const inside = "10.77.0.1";
const names: Readonly<Record<string, readonly string[]>> = {
  "own.example": ["127.0.0.1"],
  "own6.example": ["::1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "inner.example": ["10.0.0.1"],
  "inside.example": [inside],
};

let hooks: WebhookService;
let outside: AskOptions;
/** Connections that deliveries asked for. All lead to one receiver. */
const connections: Endpoint[] = [];
const receiver = new Receiver();

beforeAll(async () => {
  await receiver.listen();
  const network = {
    resolve: async (name: string) => [...(names[name] ?? [])],
    connect: (endpoint: Endpoint, signal: AbortSignal) => {
      connections.push(endpoint);
      const own = { address: "127.0.0.1", port: receiver.port, tls: false };
      return internet.connect({ ...endpoint, ...own }, signal);
    },
  };
  hooks = await WebhookService.start(
    { trustProxy: { hops: 1 }, webhookNetworks: [`${inside}/32`] },
    { metadataNetwork: network },
  );
  outside = {
    key: await addKey(hooks.service, { plan: "shared", plans: { shared: { rps: 1000, burst: 1000 } } }),
    headers: { "X-Forwarded-For": "9.9.9.9" },
  };
}, 300_000);
afterAll(async () => {
  await hooks?.close();
  await receiver.kill();
});

/** Creates a webhook to all blocks, which is deleted with the test. */
async function created(url: string, options: AskOptions) {
  const { id } = await hooks.create({ url, kind: "blocks" }, options);
  onTestFinished(async () => void (await hooks.call("v3.webhooks.delete", { id }, options)));
  return id;
}

/** The outcomes of a webhook's attempts, once there is one. A busy machine may see more than one attempt with the same. */
async function outcomes(id: string, options?: AskOptions) {
  const all = await until("an attempt", async () => {
    const answer = await hooks.call("v3.webhooks.deliveries", { id }, options);
    const { deliveries } = answer as { deliveries: WebhookAttempt[] };
    return deliveries.length > 0 && deliveries;
  });
  return [...new Set(all.map(({ status, failure }) => `${status} ${failure}`))];
}

describe("Webhooks of callers from outside", () => {
  test.each(["http://127.0.0.1:8081/", "http://localhost/", "https://[::1]/", "http://a.localhost:22/"])(
    "are not made to the devnet's machine, nor changed to lead there: %s",
    async (url) => {
      const refusal = "url must name a public host";
      expect(await hooks.call("v3.webhooks.create", { url, kind: "blocks" }, outside)).toBe(refusal);
      const id = await created("https://own.example/", outside);
      expect(await hooks.call("v3.webhooks.update", { id, url }, outside)).toBe(refusal);
      expect(await hooks.list(outside)).toMatchObject([{ id, url: "https://own.example/" }]);
    },
  );

  test("say nothing of hosts that they must not reach", async () => {
    const hosts = ["own.example", "own6.example", "mapped.example", "inner.example"];
    const ids = await Promise.all(hosts.map((host) => created(`http://${host}/`, outside)));
    connections.length = 0;
    await hooks.mine(1);
    for (const id of ids) expect(await outcomes(id, outside)).toEqual(["null failed"]);
    for (const { failure } of await hooks.list(outside)) expect(failure).toBe("failed");
    expect(connections).toEqual([]);
  });

  test("reach the networks that the operator names, on any port", async () => {
    const ids = [
      await created("http://inside.example:3000/", outside),
      await created(`http://${inside}:99/`, outside),
    ];
    connections.length = 0;
    await hooks.mine(1);
    for (const id of ids) expect(await outcomes(id, outside)).toEqual(["200 null"]);
    expect(connections.map(({ address, port }) => `${address}:${port}`).sort()).toEqual([
      `${inside}:3000`,
      `${inside}:99`,
    ]);
  });
});

test("Webhooks of the devnet's own key reach its machine", async () => {
  const id = await created("http://127.0.0.1:22/", {});
  connections.length = 0;
  await hooks.mine(1);
  expect(await outcomes(id)).toEqual(["200 null"]);
  expect(connections).toMatchObject([{ address: "127.0.0.1", port: 22 }]);
});
