import type { z } from "zod";
import type { Queries } from "../../../server/store/database.js";
import { flatten } from "../../../shared/methods/define.js";
import { type Filter, filtersOf } from "../store/filter-pairs.js";
import { indexSamples } from "../store/index-samples.js";
import { indexRegistry } from "./index-app.js";

/** Reads of a v3 method. */
type MethodReads = { method: string; paths: readonly string[] };

/** Pages of a list, with and without rows to be skipped. */
const pages = ["limit=3&offset=2", "limit=200"];

/** Reads by each parameter of every v3 method that answers from the index alone, about what this one has. */
export async function everyRead(queries: Queries): Promise<MethodReads[]> {
  const samples = await indexSamples(queries);
  return flatten(indexRegistry.v3)
    .filter(([, { freshness }]) => freshness.kind === "index")
    .map(([method, { params }]) => {
      const path = method.replaceAll(".", "/");
      return {
        method,
        paths: readsOf(params, filtersOf(params, samples)).map((query) => `${path}?${query}`),
      };
    });
}

/** With each filter, and with those that the method needs. */
function readsOf(params: z.ZodObject, filters: readonly Filter[]): string[] {
  const needed = neededFilters(params, filters);
  const ofPages = "limit" in params.shape ? pages : [];
  const all = needed.flatMap((base) => {
    const first = base.map(textOf);
    const others = filters.filter((filter) => !base.includes(filter));
    const beside = [...others.flatMap(({ variants }) => variants.map(({ text }) => text)), ...ofPages];
    const variants = base.length === 1 ? base[0]!.variants.map(({ text }) => text) : [first.join("&")];
    return [...variants, ...beside.map((text) => [...first, text].join("&"))];
  });
  return [...new Set(all)];
}

/** The smallest sets of filters that the method accepts alone, of at most two filters. */
function neededFilters(params: z.ZodObject, filters: readonly Filter[]): Filter[][] {
  const present = filters.filter(({ variants }) => variants.length > 0);
  const pairs = present.flatMap((one, at) => present.slice(at + 1).map((other) => [one, other]));
  const bySize = [[[]], present.map((filter) => [filter]), pairs];
  return (
    bySize.map((sets) => sets.filter((set) => isAccepted(params, set))).find(({ length }) => length > 0) ?? []
  );
}

function isAccepted(params: z.ZodObject, filters: readonly Filter[]): boolean {
  return params.safeParse(Object.fromEntries(filters.map(({ name, variants }) => [name, variants[0]!.value])))
    .success;
}

function textOf({ variants }: Filter): string {
  return variants[0]!.text;
}
