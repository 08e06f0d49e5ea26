import { describe, expect, it } from "vitest";
import { changeKey, createKey, rotateKey, setPlan } from "../../../server/access/keys/key-commands.js";
import { checkKeys, noKeys } from "../../../server/access/keys/key-file.js";
import { RuleCheck, unknownPatterns } from "../../../server/access/keys/key-rules.js";

const now = new Date("2030-01-15T12:00:00Z");
const order = { network: "mainnet", plan: "standard", label: "" } as const;

describe("the methods of a key", () => {
  const check = new RuleCheck({ methods: ["getMasterchainInfo", "v3.jetton.*", "subscription.*"] });

  it.each(["getMasterchainInfo", "v3.jetton.wallets", "subscribe", "ton_unsubscribe", "subscription.ack"])(
    "include %s",
    (name) => expect(check.allowsMethod(name)).toBe(true),
  );

  it.each(["getMasterchainInfoX", "getShards", "v3.jettons", "v3.accountStates", "v4.latest"])(
    "leave out %s",
    (name) => expect(check.allowsMethod(name)).toBe(false),
  );

  it("are those of v2 by v2.*, without subscriptions", () => {
    const v2 = new RuleCheck({ methods: ["v2.*"] });
    expect(["getShards", "subscribe", "v3.blocks"].map((name) => v2.allowsMethod(name))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("can be compared with those that exist", () => {
    const known = ["getShards", "v3.jetton.wallets"];
    expect(unknownPatterns(["v2.*", "v3.jetton.*", "getShardz", "v5.*"], known)).toEqual([
      "getShardz",
      "v5.*",
    ]);
  });
});

describe("the origins of a key", () => {
  const check = new RuleCheck({ origins: ["app.example.com", "*.example.org"] });

  it.each(["https://app.example.com", "http://APP.example.com:8080", "https://a.b.example.org"])(
    "include %s",
    (origin) => expect(check.allowsOrigin(origin)).toBe(true),
  );

  it.each([
    "https://example.org",
    "https://evil-example.org",
    "https://app.example.com.evil.test",
    "https://evil.test/app.example.com",
    "null",
    "",
    "app.example.com",
    "https://app.example.com, https://evil.test",
  ])("leave out %j", (origin) => expect(check.allowsOrigin(origin)).toBe(false));
});

describe("a key file", () => {
  const withRules = (rules: object) => {
    const { file } = createKey(noKeys, order, now);
    return { ...file, keys: file.keys.map((key) => ({ ...key, ...rules })) };
  };

  it.each([
    [{ methods: ["v3.*.x"] }, "a method is a name"],
    [{ methods: [] }, "keys[0].methods"],
    [{ methods: Array(101).fill("getShards") }, "keys[0].methods"],
    [{ origins: ["https://a.test"] }, "an origin is a host in lower case"],
    [{ origins: ["*"] }, "an origin is a host in lower case"],
    [{ quota: 1 }, "quota"],
  ])("is refused with %j", (rules, text) => expect(() => checkKeys(withRules(rules))).toThrow(text));

  it("is refused with a quota of less than 1", () => {
    const plans = { gold: { rps: 1, burst: 1, month: { calls: 0 } } };
    expect(() => checkKeys({ ...noKeys, plans })).toThrow("plans.gold.month.calls");
  });
});

describe("a change of a key", () => {
  it("changes both secrets of a rotation, and a rotation keeps the rules", () => {
    const rules = { methods: ["v2.*"], origins: ["a.test"] };
    const made = createKey(noKeys, { ...order, ...rules }, now);
    const { id } = made.result.record;
    const rotated = rotateKey(made.file, id, 60_000, now);
    expect(rotated.result.record).toMatchObject(rules);
    const { file } = changeKey(rotated.file, id, { methods: ["v3.*"], origins: "all", label: "new" });
    expect(checkKeys(file).keys.map(({ methods, origins, label }) => ({ methods, origins, label }))).toEqual(
      Array(2).fill({ methods: ["v3.*"], origins: undefined, label: "new" }),
    );
  });

  it("is refused with a rule that is none, and a plan that does not exist", () => {
    const { file, result } = createKey(noKeys, order, now);
    const { id } = result.record;
    expect(() => changeKey(file, id, { origins: ["A.test"] })).toThrow('"A.test": an origin is a host');
    expect(() => changeKey(file, id, { plan: "gold" })).toThrow("plan gold does not exist");
    expect(() => changeKey(file, "nobody", { label: "" })).toThrow("key nobody does not exist");
  });
});

describe("the quotas of a plan", () => {
  it("stay as they are unless they are named", () => {
    const limit = { rps: 1, burst: 1 };
    const first = setPlan(noKeys, "gold", limit, undefined, { calls: 10, points: 20 });
    const second = setPlan(first.file, "gold", { rps: 2, burst: 2 });
    expect(second.result).toEqual({ rps: 2, burst: 2, month: { calls: 10, points: 20 } });
    const third = setPlan(second.file, "gold", limit, undefined, { calls: "unlimited", points: 5 });
    expect(third.result).toEqual({ ...limit, month: { points: 5 } });
    expect(setPlan(third.file, "gold", limit, undefined, { points: "unlimited" }).result).toEqual(limit);
  });
});
