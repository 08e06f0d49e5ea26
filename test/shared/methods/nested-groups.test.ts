import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../../server/errors.js";
import { mapErrors, refuseWhile } from "../../../server/methods/handler-wraps.js";
import { bind, type Implementations, implement } from "../../../server/rpc/bind.js";
import { type Call, defineMethod, type Handlers, mapHandlers } from "../../../shared/methods/define.js";

const method = defineMethod({
  summary: "Test.",
  group: "Test",
  params: z.object({ limit: z.number() }),
  result: z.string(),
  verbs: ["GET"],
  freshness: { kind: "none" },
  examples: [{ params: { limit: 1 }, result: "1" }],
});
const definitions = { list: method, jetton: { burns: method, wallets: { holders: method } } };

type Deps = { prefix: string };
const handlers: Handlers<typeof definitions, Deps> = {
  list: ({ limit }, { prefix }) => `${prefix} list ${limit}`,
  jetton: {
    burns: ({ limit }, { prefix }) => Promise.resolve(`${prefix} burns ${limit}`),
    wallets: { holders: ({ limit }, { prefix }) => `${prefix} holders ${limit}` },
  },
};

const call: Call = { signal: new AbortController().signal, asked: new Set(), options: {} };

/** The answers of all methods of a mainnet service with these v3 methods, by name. */
async function answers(v3: Implementations<typeof definitions>): Promise<Record<string, unknown>> {
  const entries = [...bind({ v3: definitions }, { v3 }, "mainnet")].map(async ([name, { run }]) => {
    const answer = await Promise.resolve()
      .then(() => run({ limit: 5 }, call))
      .catch((error: unknown) => error);
    return [name, answer];
  });
  return Object.fromEntries(await Promise.all(entries));
}

describe("a group of methods inside another", () => {
  const implementations = implement(definitions, handlers, { prefix: "all" });

  it("gets its dependencies", async () => {
    expectTypeOf(implementations).toEqualTypeOf<Implementations<typeof definitions>>();
    expect(await answers(implementations)).toEqual({
      "v3.list": "all list 5",
      "v3.jetton.burns": "all burns 5",
      "v3.jetton.wallets.holders": "all holders 5",
    });
  });

  it("is refused while there is a reason, and answered afterwards", async () => {
    let reason: string | undefined = "no liteserver answers";
    const guarded = mapHandlers(
      implementations,
      refuseWhile(() => reason),
    );
    expectTypeOf(guarded).toEqualTypeOf<Implementations<typeof definitions>>();
    const refusal = new ServiceError("unavailable", "no liteserver answers");
    expect(await answers(guarded)).toEqual({
      "v3.list": refusal,
      "v3.jetton.burns": refusal,
      "v3.jetton.wallets.holders": refusal,
    });
    reason = undefined;
    expect(await answers(guarded)).toEqual(await answers(implementations));
  });

  it("has the errors of its handlers mapped, thrown and rejected ones", async () => {
    const failing: Handlers<typeof definitions, Deps> = {
      list: () => {
        throw new Error("list");
      },
      jetton: {
        burns: () => Promise.reject(new Error("burns")),
        wallets: { holders: ({ limit }) => `${limit}` },
      },
    };
    const mapped = mapHandlers(
      failing,
      mapErrors((error) => `mapped ${error}`),
    );
    expect(await answers(implement(definitions, mapped, { prefix: "" }))).toEqual({
      "v3.list": "mapped Error: list",
      "v3.jetton.burns": "mapped Error: burns",
      "v3.jetton.wallets.holders": "5",
    });
  });

  it("passes dotted names to its wrapper", async () => {
    const named = mapHandlers(implementations, (_, name) => () => Promise.reject(new Error(name)));
    expect(await answers(named)).toEqual({
      "v3.list": new Error("list"),
      "v3.jetton.burns": new Error("jetton.burns"),
      "v3.jetton.wallets.holders": new Error("jetton.wallets.holders"),
    });
  });

  it("does not compile with a handler missing, or with one of another kind", () => {
    const { jetton: _, ...incomplete } = handlers;
    // @ts-expect-error: the group jetton is missing
    implement(definitions, incomplete, { prefix: "" });
    const { burns, wallets } = handlers.jetton;
    // @ts-expect-error: jetton.wallets.holders is missing
    implement(definitions, { ...incomplete, jetton: { burns, wallets: {} } }, { prefix: "" });
    // @ts-expect-error: the result of jetton.burns is a text
    implement(definitions, { ...incomplete, jetton: { burns: () => 5, wallets } }, { prefix: "" });
    // @ts-expect-error: the prefix is missing
    implement(definitions, handlers, {});
  });
});
