import { expect } from "vitest";
import type { z } from "zod";
import { type AnyDefinition, flatten } from "../../../shared/methods/define.js";
import { registry } from "../../../shared/methods/registry.js";

type V3 = typeof registry.v3;
type Flat<Group, Prefix extends string = ""> = {
  [Name in keyof Group & string]: Group[Name] extends { result: infer Result extends z.ZodType }
    ? { path: `${Prefix}${Name}`; result: z.output<Result> }
    : Flat<Group[Name], `${Prefix}${Name}/`>;
}[keyof Group & string];

/** A REST path of v3, as `jetton/wallets`. */
export type V3Path = Flat<V3>["path"];
/** The result of the method at a path. */
export type V3Result<Path extends V3Path> = Extract<Flat<V3>, { path: Path }>["result"];

const definitions = new Map<string, AnyDefinition>(
  flatten(registry.v3).map(([name, definition]) => [name.replaceAll(".", "/"), definition]),
);

/** The answer as the schema of its method has it; fails the test if it differs. */
export function checked<Path extends V3Path>(path: Path, answer: unknown): V3Result<Path> {
  expect(definitions.get(path)!.result.parse(answer)).toEqual(answer);
  return answer as V3Result<Path>;
}
