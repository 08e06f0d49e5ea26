import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { BoundMethod } from "../../server/rpc/bind.js";
import { pointsOf, RunMeter } from "../../server/rpc/call-points.js";
import { ParamReader } from "../../server/rpc/params/params.js";

const schema = z.object({
  limit: z.int().optional(),
  offset: z.int().optional(),
  account: z.array(z.string()).optional(),
});

/** A method of an interface. */
function methodOf(api: "v2" | "v3", special: object = {}): BoundMethod {
  return { api, definition: { ...special }, params: new ParamReader(schema, api) } as unknown as BoundMethod;
}

describe("the points of a call", () => {
  const list = methodOf("v3");
  const asking = (object: object) => pointsOf(list, { object: object as Record<string, unknown> });

  it("are one, and one more for each hundred rows", () => {
    expect(
      [{}, { limit: 1 }, { limit: 99 }, { limit: 100 }, { limit: 199 }, { limit: 1000 }].map(asking),
    ).toEqual([1, 1, 1, 2, 2, 11]);
  });

  it("never count more rows than a method gives, nor what is no number", () => {
    expect(
      [{ limit: 1e9 }, { limit: -500 }, { limit: "x" }, { limit: {} }, { limit: "300" }].map(asking),
    ).toEqual([11, 1, 1, 1, 4]);
  });

  it("are not counted by other parameters, nor by an object that no number can be made of", () => {
    expect([{ offset: 500 }, { other: 500 }, { limit: { toString: 1, valueOf: 1 } }].map(asking)).toEqual([
      1, 1, 1,
    ]);
  });

  it("are one more for each ten values after the first", () => {
    const values = (count: number) => asking({ account: new Array(count).fill("x") });
    expect([1, 10, 11, 20, 21, 1000].map(values)).toEqual([1, 1, 2, 2, 3, 100]);
    expect(asking({ account: new Array(11).fill("x"), limit: 100 })).toBe(3);
    expect(asking({ account: new Array(11).fill("x").join() })).toBe(2);
    expect(asking({ account: ["x,x,x,x,x", "x", "x,x,x,x,x"] })).toBe(2);
    // More values than any list may have.
    expect([1e5, 1e6].map(values)).toEqual([1000, 1000]);
    expect(asking({ account: ",".repeat(1e6) })).toBe(1000);
    // Objects are no values to search for.
    expect(asking({ account: new Array(30).fill({}) })).toBe(1);
  });

  it("count the values and the limit of a query", () => {
    const query = [...new Array(11).fill(["account[]", "x"]), ["limit", "200"]] as [string, string][];
    expect(pointsOf(list, { query })).toBe(4);
  });

  it("are one more for each further message of an emulation, and two for a supposed configuration", () => {
    const emulation = (api: "v2" | "v3") =>
      ({
        ...methodOf(api),
        params: new ParamReader(z.object({ bundle: z.any(), overrides: z.any() }), api),
      }) as BoundMethod;
    const supposed = [
      {},
      { bundle: [{}, {}, {}] },
      { overrides: { config: [{}, {}] } },
      { bundle: [{}], overrides: { config: [{}] } },
      { overrides: { accounts: [{}, {}], config: [] } },
      { overrides: { config: null } },
      { overrides: null, bundle: null },
      { overrides: "config", bundle: "x" },
      // Refused, but by then it is paid.
      { bundle: new Array(1_000_000).fill(1) },
    ];
    for (const api of ["v2", "v3"] as const)
      expect(supposed.map((object) => pointsOf(emulation(api), { object }))).toEqual([
        1, 4, 3, 4, 1, 1, 1, 1, 9,
      ]);
    // Names of v3 are read in any case.
    expect(pointsOf(emulation("v3"), { object: { Bundle: [{}] } })).toBe(2);
    // Other methods have no such parameters.
    expect(asking({ bundle: [{}], overrides: { config: [{}] } })).toBe(1);
  });

  it("are one for each call of v2, and none for a free method", () => {
    expect(pointsOf(methodOf("v2"), { object: { limit: 1000 } })).toBe(1);
    expect(pointsOf(methodOf("v2", { free: true }), { object: {} })).toBe(0);
    expect(pointsOf(methodOf("v3", { free: true }), { object: { limit: 1000 } })).toBe(0);
  });
});

it("runs are charged for each 25 ms of CPU time, once", () => {
  const charged: number[] = [];
  const meter = new RunMeter((points) => charged.push(points));
  for (const ms of [24.9, 0.1, 0, 24, 1, 74, 1, 0.5]) meter.add(ms);
  expect(charged).toEqual([1, 1, 2, 1]);
});
