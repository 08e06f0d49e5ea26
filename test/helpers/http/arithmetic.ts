import { z } from "zod";
import type { AllImplementations } from "../../../server/rpc/bind.js";
import { defineMethod } from "../../../shared/methods/define.js";

// The methods of the examples of the JSON-RPC 2.0 standard.

const number = z.number().describe("A number.");
const base = { group: "Test", verbs: [], freshness: { kind: "none" } } as const;

const definitions = {
  subtract: defineMethod({
    ...base,
    summary: "Subtracts.",
    params: z.object({ minuend: number, subtrahend: number }),
    result: number,
    examples: [{ params: { minuend: 42, subtrahend: 23 }, result: 19 }],
  }),
  sum: defineMethod({
    ...base,
    summary: "Adds three numbers.",
    params: z.object({ a: number, b: number, c: number }),
    result: number,
    examples: [{ params: { a: 1, b: 2, c: 4 }, result: 7 }],
  }),
  notify_hello: defineMethod({
    ...base,
    summary: "Takes a greeting.",
    params: z.object({ greeting: number }),
    result: z.literal("ok").describe("Done."),
    examples: [{ params: { greeting: 7 }, result: "ok" }],
  }),
  update: defineMethod({
    ...base,
    summary: "Takes a number.",
    params: z.object({ a: number.optional() }),
    result: z.literal("ok").describe("Done."),
    examples: [{ params: {}, result: "ok" }],
  }),
  get_data: defineMethod({
    ...base,
    summary: "Gives a list.",
    params: z.object({}),
    result: z.array(z.union([z.string(), z.number()])).describe("Data."),
    examples: [{ params: {}, result: ["hello", 5] }],
  }),
};

/** A registry of these methods; `seen` collects the names of the calls that were run. */
export function arithmetic(seen: string[] = []) {
  const noted = <T>(name: string, value: T): T => {
    seen.push(name);
    return value;
  };
  const implementations: AllImplementations<typeof definitions> = {
    subtract: ({ minuend, subtrahend }) => noted("subtract", minuend - subtrahend),
    sum: ({ a, b, c }) => noted("sum", a + b + c),
    notify_hello: () => noted("notify_hello", "ok" as const),
    update: () => noted("update", "ok" as const),
    get_data: () => noted("get_data", ["hello", 5]),
  };
  return { registry: definitions, implementations };
}
