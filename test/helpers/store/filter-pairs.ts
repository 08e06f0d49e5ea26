import type { z } from "zod";

/** The values of a parameter: a single one, or for parameters that take lists three of them. */
export type Samples = { readonly [parameter: string]: readonly string[] };

/** Parameters that choose a part of a list, not its rows. */
const paging: readonly string[] = ["limit", "offset", "cursor", "after"];

type Options = {
  /** Rows of a page, where the method has pages. */
  limit: number;
  /** Whether lists of several values are in pairs too. */
  withLists: boolean;
};

/**
 * Queries with each parameter of a method alone, and with each two of them. A parameter that takes a list has one value in
 * some of them and all of its samples in others.
 */
export function filterPairs(params: z.ZodObject, samples: Samples, { limit, withLists }: Options): string[] {
  const given = filtersOf(params, samples).map(({ variants }) => variants);
  const pairs = given.flatMap((first, at) =>
    given
      .slice(at + 1)
      .flatMap((second) =>
        first
          .filter((one) => withLists || isSingle(one))
          .flatMap((one) => second.filter(isSingle).map((other) => `${one.text}&${other.text}`)),
      ),
  );
  const page = "limit" in params.shape ? `limit=${limit}` : "";
  const queries = [...given.flat().map(({ text }) => text), ...pairs];
  return queries.map((query) => [query, page].filter((part) => part !== "").join("&"));
}

/** Queries with each three parameters of a method, each with single values. */
export function filterTriples(params: z.ZodObject, samples: Samples): string[] {
  const given = filtersOf(params, samples).map(({ variants }) => variants.filter(isSingle));
  const behind = (at: number) => given.slice(at + 1);
  return given.flatMap((first, i) =>
    behind(i).flatMap((second, j) =>
      behind(i + 1 + j).flatMap((third) =>
        first.flatMap((a) => second.flatMap((b) => third.map((c) => `${a.text}&${b.text}&${c.text}`))),
      ),
    ),
  );
}

/** A parameter that chooses rows of a list, with its values in queries. */
export type Filter = { name: string; variants: readonly Variant[] };

/** The filters of a method. */
export function filtersOf(params: z.ZodObject, samples: Samples): Filter[] {
  const names = Object.keys(params.shape).filter((name) => !paging.includes(name));
  return names.map((name) => ({
    name,
    variants: variantsOf(name, params.shape[name] as z.ZodType, samples),
  }));
}

type Variant = { text: string; isList: boolean; value: string | readonly string[] };

const isSingle = ({ isList }: Variant) => !isList;

/** Each value of a parameter that takes one; of a list the first value, and all of them. */
function variantsOf(name: string, type: z.ZodType, samples: Samples): Variant[] {
  const values = samples[name];
  if (values === undefined) throw new Error(`the parameter ${name} has no value to be measured with`);
  const textOf = (value: string) => `${name}=${encodeURIComponent(value)}`;
  const isList = type.safeParse(values.slice(0, 1)).success;
  if (!isList) return values.map((value) => ({ text: textOf(value), isList, value }));
  const lists = [values.slice(0, 1), values].filter(({ length }, at) => length > at);
  return lists.map((list) => ({ text: list.map(textOf).join("&"), isList: list.length > 1, value: list }));
}
