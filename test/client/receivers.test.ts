import { writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Express } from "express";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { WebhookDelivery } from "../../client/webhooks/index.js";
import { variants } from "../helpers/effort.js";
import { bundled, recipe } from "../helpers/recipes.js";
import { WebhookService } from "../helpers/services/webhook-service.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";
import { until } from "../helpers/until.js";

type Take = (delivery: WebhookDelivery) => Promise<void>;
type Receivers = {
  expressReceiver?: (secret: string, take: Take) => Express;
  fastifyReceiver?: (secret: string, take: Take) => FastifyInstance;
};

const secret = "whsec_of-a-receiver-in-a-test";

async function load(name: string): Promise<Receivers> {
  const file = join(temporaryFolder(), `${name}.cjs`);
  writeFileSync(file, await bundled(recipe(name), "node", "cjs"));
  return createRequire(import.meta.url)(file);
}

/** Servers of the recipes, by what they are built on. */
const receivers: [string, (take: Take) => Promise<RequestListener>][] = [
  [
    "Express",
    async (take) => {
      const { expressReceiver } = await load("expressReceiver");
      return expressReceiver!(secret, take);
    },
  ],
  [
    "Fastify",
    async (take) => {
      const { fastifyReceiver } = await load("fastifyReceiver");
      const app = fastifyReceiver!(secret, take);
      await app.ready();
      return app.routing;
    },
  ],
];

let world: WebhookService;
beforeAll(async () => {
  world = await WebhookService.start();
});
afterAll(() => world?.close());

describe.each(variants(receivers.slice(0, 1), receivers.slice(1)))("the recipe for %s", (_, open) => {
  it("accepts signed deliveries, again after a failure, and refuses others", async () => {
    const taken: WebhookDelivery[] = [];
    let fails = 1;
    const listener = await open(async (delivery) => {
      if (fails-- > 0) throw new Error("its database is away");
      taken.push(delivery);
    });
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ton-events`;

    const forged = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Tonwire-Signature": `t=1,v1=${"00".repeat(32)}` },
      body: '{"events":[]}',
    });
    expect([forged.status, taken]).toEqual([400, []]);

    const { id } = await world.create({ url, kind: "blocks", secret });
    const seqno = await world.mine(1);
    await until("the failure", async () => (await world.one(id)).failure === "status 500");
    world.clock.pass(60_000);
    await until("the delivery", () => taken.length > 0);
    expect(taken[0]!.events).toMatchObject([{ event: { type: "block", block: { seqno } } }]);
    await until("its answer", async () => (await world.one(id)).failure === null);
  });
});
