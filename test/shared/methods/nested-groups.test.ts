import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { ServiceError } from "../../../server/errors.js";
import { bind, type Implementations, implement } from "../../../server/rpc/bind.js";
import { type Call, defineMethod, type Handlers } from "../../../shared/methods/define.js";

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
  const implementations = implement(handlers, { prefix: "all" });

  it("gets its dependencies", async () => {
    expect(await answers(implementations)).toEqual({
      "v3.list": "all list 5",
      "v3.jetton.burns": "all burns 5",
      "v3.jetton.wallets.holders": "all holders 5",
    });
  });

  it("is refused while there is a reason, and answered afterwards", async () => {
    let isRefused = true;
    const refusal = (name: string) =>
      isRefused ? new ServiceError("unavailable", `${name} has no liteserver`) : undefined;
    const guarded = implement(handlers, { prefix: "all" }, { refusal });
    const refused = (name: string) => [name, new ServiceError("unavailable", `${name} has no liteserver`)];
    expect(await answers(guarded)).toEqual(
      Object.fromEntries(["v3.list", "v3.jetton.burns", "v3.jetton.wallets.holders"].map(refused)),
    );
    isRefused = false;
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
    const errorOf = (error: unknown) => `mapped ${error}`;
    expect(await answers(implement(failing, { prefix: "" }, { errorOf }))).toEqual({
      "v3.list": "mapped Error: list",
      "v3.jetton.burns": "mapped Error: burns",
      "v3.jetton.wallets.holders": "5",
    });
  });

  it("does not compile with a handler missing, or with one of another kind", () => {
    const { jetton: _, ...incomplete } = handlers;
    type Whole = Handlers<typeof definitions, Deps>;
    expectTypeOf(incomplete).not.toExtend<Whole>();
    const { burns, wallets } = handlers.jetton;
    const withoutHolders = { ...incomplete, jetton: { burns, wallets: {} } };
    expectTypeOf(withoutHolders).not.toExtend<Whole>();
    const withNumber = { ...incomplete, jetton: { burns: () => 5, wallets } };
    expectTypeOf(withNumber).not.toExtend<Whole>();
    expectTypeOf(handlers).toExtend<Whole>();
    // @ts-expect-error: the prefix is missing
    implement(handlers, {});
  });
});
