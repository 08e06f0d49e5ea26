import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { webhookMethods } from "../../shared/methods/v3/webhooks.js";
import { ranCommand } from "../helpers/services/ran-command.js";
import { WebhookService } from "../helpers/services/webhook-service.js";

const account = `0:${"AB".repeat(32)}`;
const other = `0:${"CD".repeat(32)}`;

let hooks: WebhookService;
beforeAll(async () => {
  hooks = await WebhookService.start();
}, 300_000);
afterAll(() => hooks?.close());

const webhooks = (...args: string[]) => ranCommand("webhooks", ...args, "--url", hooks.service.url);

describe("tonwire webhooks", () => {
  it("has a command for each method, described as the method is", async () => {
    const text = (await webhooks("--help")).printed.join("\n").replace(/\s+/g, " ");
    for (const [name, { summary }] of Object.entries(webhookMethods))
      expect(text).toContain(`${summary} (v3.webhooks.${name})`);
  });

  it("creates, changes, shows and deletes them", async () => {
    const url = "https://shop.example/events";
    const options = ["--accounts", `${account},${other}`, "--json"];
    const { code, errors, json } = await webhooks("create", url, "transactions", ...options);
    expect([code, errors]).toEqual([0, []]);
    const { id, secret } = json();
    expect(json()).toMatchObject({ url, kind: "transactions", accounts: [account, other] });
    expect(secret).toMatch(/^whsec_/);
    const removal = JSON.stringify({ accounts: [other] });
    const updated = await webhooks("update", id, "--remove", removal, "--paused", "true", "--json");
    expect(updated.json()).toMatchObject({ id, accounts: [account], paused: "paused by its owner" });
    expect((await webhooks("list", "--json")).json().webhooks).toMatchObject([{ id }]);
    expect((await webhooks("deliveries", id)).printed).toEqual(["", "deliveries:", "none"]);
    expect((await webhooks("replay", id, '{"mc_seqno":1}', "--json")).json()).toMatchObject({ paused: null });
    expect((await webhooks("delete", id)).printed).toEqual(["true"]);
    expect((await webhooks("list", "--json")).json()).toEqual({ webhooks: [] });
  });

  it("reports invalid input", async () => {
    expect(await webhooks("update", "wh_x", "--add", "accounts")).toMatchObject({
      code: 1,
      errors: [expect.stringMatching(/^tonwire: --add is no JSON: /)],
    });
    expect(await webhooks("create", "https://localhost:1/", "blocks", "--key", "nobody's")).toMatchObject({
      code: 1,
      errors: ["tonwire: v3.webhooks.create: API key does not exist"],
    });
    const unknown = await webhooks("replay", "wh_x", '{"mc_seqno":1}');
    expect(unknown.errors).toEqual(["tonwire: v3.webhooks.replay: there is no such webhook"]);
  });
});
