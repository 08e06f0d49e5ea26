import { expect, it } from "vitest";
import { createDocuments } from "../../../server/http/documents/documents.js";
import { flatten } from "../../../shared/methods/define.js";
import { registry } from "../../../shared/methods/registry.js";
import { subscriptionMethods } from "../../../shared/methods/subscriptions.js";

type Part = { [name: string]: Part } & { $ref?: string; const?: unknown };
const { asyncApi, openRpc } = createDocuments(registry, { network: "devnet", version: "0.1.0" });
const document = JSON.parse(JSON.stringify(asyncApi)) as Part;

function refsIn(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) =>
    name === "$ref" && typeof value === "string" ? [value] : refsIn(value),
  );
}

it("the AsyncAPI document has no dangling reference", () => {
  const refs = refsIn(document);
  expect(refs.length).toBeGreaterThan(20);
  const missing = refs.filter((ref) => {
    let found: unknown = document;
    for (const name of ref.replace("#/", "").split("/")) found = (found as Part | undefined)?.[name];
    return found === undefined;
  });
  expect(missing).toEqual([]);
});

it("has every method of subscriptions, and every event", () => {
  expect(document["asyncapi"]).toBe("3.0.0");
  const messages = document["components"]!["messages"]!;
  for (const [name] of flatten(subscriptionMethods)) {
    const payload = messages[name.replaceAll(".", "_")]!["payload"]!;
    expect(payload["properties"]!["method"]!.const).toBe(name);
  }
  const schemas = document["components"]!["schemas"]!;
  const typesOf = (name: string) =>
    (schemas[name]!["oneOf"] as unknown as Part[]).map(
      ({ $ref }) => schemas[$ref!.split("/").at(-1)!]!["properties"]!["type"]!.const,
    );
  expect(typesOf("StreamEvent")).toEqual([
    "block",
    "transaction",
    "action",
    "trace",
    "account",
    "jetton",
    "message",
    "invalidated",
    "reverted",
    "caught-up",
    "lagging",
    "heartbeat",
    "end",
    "closing",
  ]);
  expect(typesOf("TonCenterStreamEvent")).toContain("trace_invalidated");
});

it("describes the same events as the OpenRPC document", () => {
  expect(openRpc["x-notifications"].map(({ name }) => name)).toEqual(["subscription", "ton_subscription"]);
  for (const name of ["SubscriptionNotification", "TonSubscriptionNotification"])
    expect(JSON.stringify(document["components"]!["schemas"]![name])).toContain(
      '"event":{"$ref":"#/components/schemas/StreamEvent"}',
    );
  const { title, ...event } = openRpc.components.schemas["StreamEvent"]!;
  expect(title).toBe("StreamEvent");
  expect(event).toEqual(document["components"]!["schemas"]!["StreamEvent"]);
});
