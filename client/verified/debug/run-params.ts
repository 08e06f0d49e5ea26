// Parameters of the methods of a run, as programs may give them.

import type { ProfileKind } from "../../../shared/ton/debug/profile/gas-tree.js";
import type { needsStackLog, profileIn } from "../../../shared/ton/present/v3/read-run.js";
import type { StepSearchParams } from "../../../shared/ton/present/v3/step-search.js";
import { RpcError } from "../../errors.js";
import { int32, maybeCount } from "../inputs.js";
import type { FindParams, ProfileParams, StateParams, StepsParams } from "./types.js";

type Part = Parameters<typeof needsStackLog>[0][number];
type Format = Parameters<typeof profileIn>[1];

const parts: readonly Part[] = ["stack", "full_stack", "cells", "source", "frames", "locals", "registers"];
const formats: readonly Format[] = ["json", "calls", "collapsed", "cpuprofile", "speedscope"];
const kinds: readonly ProfileKind[] = ["function", "line", "instruction", "cell"];
const searches = ["line", "at", "instruction", "function", "writes", "throws", "action", "equals"] as const;

/** Steps per page. */
const limits = { initial: 200, max: 1000 } as const;

export function stepsOptions({ from, limit, backward = false, include = [] }: StepsParams) {
  return {
    from: maybeCount("from", from),
    limit: Math.min(Math.max(1, maybeCount("limit", limit) ?? limits.initial), limits.max),
    backward,
    include: [include].flat().map((part) => oneOf("include", parts, part)),
  };
}

export function stepNumber(step: StateParams["step"]): number {
  return maybeCount("step", step) ?? invalid("step is missing");
}

export function profileOptions({ format = "json", by = "function" }: ProfileParams) {
  return { format: oneOf("format", formats, format), by: oneOf("by", kinds, by) };
}

export function searchOptions(given: FindParams): StepSearchParams {
  const wanted = searches.filter((search) => given[search] !== undefined);
  if (wanted.length !== 1) invalid(`exactly one of ${searches.join(", ")} should be specified`);
  const { action } = given;
  if (action !== undefined) return { action: int32("action", action) };
  return Object.fromEntries(wanted.map((search) => [search, String(given[search])]));
}

function oneOf<T extends string>(name: string, known: readonly T[], value: unknown): T {
  return known.find((each) => each === value) ?? invalid(`${name} is none of ${known.join(", ")}`);
}

function invalid(text: string): never {
  throw new RpcError("invalid-params", text);
}
