import { describe, expect, it } from "vitest";
import { z } from "zod";
import { bind, type ContentRules, freshnessOf } from "../../server/rpc/bind.js";
import { pointsOf } from "../../server/rpc/call-points.js";
import { defineMethod } from "../../shared/methods/define.js";

const ask = defineMethod({
  summary: "Depends on its content.",
  group: "Test",
  params: z.object({ text: z.string() }),
  result: z.string(),
  verbs: [],
  freshness: { kind: "content" },
  examples: [{ params: { text: "a" }, result: "a" }],
});
const rules: ContentRules = {
  freshness: ({ text }) => ({ kind: text === "send" ? "effect" : "immutable" }),
  points: (given) => String(given("text")).length,
};

describe("a method whose freshness depends on the content of its calls", () => {
  const implementations = { ask: () => "a" };

  it("is not bound without rules", () => {
    expect(() => bind({ ask }, implementations, "testnet")).toThrow("the method ask has no rules");
  });

  it("has the freshness and the cost that its rules give to a call", () => {
    const method = bind({ ask }, implementations, "testnet", { ask: rules }).get("ask")!;
    expect(freshnessOf(method, { text: "send" })).toEqual({ kind: "effect" });
    expect(freshnessOf(method, { text: "read" })).toEqual({ kind: "immutable" });
    expect(pointsOf(method, { object: { text: "four" } })).toBe(4);
  });
});
