import { z } from "zod";
import type { ErrorCode } from "../rpc/errors.js";
import type { JsonText } from "./json-text.js";

export type Verb = "GET" | "POST";

/**
 * How long an answer holds.
 * - `head`: until the next masterchain block; for good when every parameter of `pinnedBy` is given.
 * - `index`: until the index takes in the next block.
 * - `both`: until the chain has a new block or the index takes one in.
 * - `immutable`: for good, once it succeeded.
 * - `none`: not stored, but equal calls in flight share one run.
 * - `effect`: the call does something; never stored, never shared, not aborted when its caller leaves.
 */
export type Freshness =
  | { readonly kind: "head"; readonly pinnedBy?: readonly string[] }
  | { readonly kind: "index" }
  | { readonly kind: "both" }
  | { readonly kind: "immutable" }
  | { readonly kind: "none" }
  | { readonly kind: "effect" };

export type Example<Params extends z.ZodObject, Result extends z.ZodType> = {
  readonly params: z.input<Params>;
  readonly result: z.output<Result>;
};

export type Definition<Params extends z.ZodObject = z.ZodObject, Result extends z.ZodType = z.ZodType> = {
  readonly summary: string;
  readonly description?: string;
  /** Heading under which documents list the method. */
  readonly group: string;
  readonly params: Params;
  readonly result: Result;
  /** REST verbs; a method without any is reached by JSON-RPC alone. */
  readonly verbs: readonly Verb[];
  /** Other names of the same method, in the form of its own name: `shards` for `getShards`. */
  readonly aliases?: readonly string[];
  /** Where a query gives both of two parameters, the first alone counts. Only GET has this way out. */
  readonly winsInQuery?: readonly [winner: string, loser: string];
  readonly freshness: Freshness;
  readonly examples: readonly [Example<Params, Result>, ...Example<Params, Result>[]];
  /** What can go wrong beyond what any call can meet (bad parameters, keys, limits, timeout, defects). */
  readonly errors?: readonly ErrorCode[];
  /** What a call of it may take where the service's deadline for calls is shorter. */
  readonly timeoutMs?: number;
  /** On other networks the method does not exist. */
  readonly network?: "devnet";
  /** Costs no point of the caller's limit once the message is read. */
  readonly free?: true;
};

/** Checks a definition where it is written and keeps its exact types. */
export function defineMethod<Params extends z.ZodObject, Result extends z.ZodType>(
  definition: Definition<Params, Result>,
): Definition<Params, Result> {
  return definition;
}

/** A group of definitions by method name. Groups nest: `{ jetton: { burns } }` is the method `jetton.burns`. */
// biome-ignore lint/suspicious/noExplicitAny: a definition is invariant in its schemas, so only `any` holds them all
export type AnyDefinition = Definition<any, any>;
export type Definitions = { readonly [name: string]: AnyDefinition | Definitions };

// shared/ compiles without the types of Node and browsers, where everybody else has this class.
export type CancelSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : unknown;

/** What a handler learns of the call besides its parameters. */
export type Call = {
  /** Fires when nobody waits for the answer any more or the deadline has passed. */
  readonly signal: CancelSignal;
  /** Handlers that ask liteservers note their indices here; callers find them in `@extra`. */
  readonly asked: Set<number>;
  readonly options: CallOptions;
  /** Set where the answer may be a better one later, whatever the definition says of its freshness: it is not stored. */
  passing?: boolean;
};

/** Request options of the v3 interface; v2 methods ignore them. */
export type CallOptions = {
  readonly timeoutMs?: number;
  readonly noAddressBook?: boolean;
  readonly noMetadata?: boolean;
  readonly actionsVersion?: string;
};

export type ParamsOf<D extends AnyDefinition> = z.output<D["params"]>;
/** As callers write them. */
export type ParamsGiven<D extends AnyDefinition> = z.input<D["params"]>;
export type ResultOf<D extends AnyDefinition> = z.output<D["result"]>;

/**
 * One function per definition, nested like the definitions: a missing, misspelt or wrongly typed handler does not
 * compile. With the form "text" handlers may return their results as `JsonText`.
 */
export type Handlers<Group extends Definitions, Deps = unknown, Form extends "value" | "text" = "value"> = {
  readonly [Name in keyof Group]: Group[Name] extends AnyDefinition
    ? (
        params: ParamsOf<Group[Name]>,
        deps: Deps,
        call: Call,
      ) => Soon<ResultOf<Group[Name]> | (Form extends "text" ? JsonText<ResultOf<Group[Name]>> : never)>
    : Group[Name] extends Definitions
      ? Handlers<Group[Name], Deps, Form>
      : never;
};

type Soon<T> = T | Promise<T>;

/**
 * Wraps one function of a group. The new function takes the same arguments and gives the same result, perhaps later.
 * `name` is dotted inside nested groups: `jetton.burns`.
 */
export type Wrap = <Args extends unknown[], Result>(
  run: (...args: Args) => Result,
  name: string,
) => (...args: Args) => Soon<Result>;

/** The same group with every function wrapped, those of nested groups included. */
export function mapHandlers<Group extends object>(group: Group, wrap: Wrap): Group {
  // Names and types of the functions stay, which the compiler cannot see through the entries.
  return mapFunctions(group, (run, name) => wrap(run, name)) as Group;
}

type AnyFunction = (...args: unknown[]) => unknown;

/** As `mapHandlers`, where the new functions differ in type: the caller says what the result is. */
export function mapFunctions(
  group: object,
  wrap: (run: AnyFunction, name: string) => AnyFunction,
  prefix = "",
): object {
  const entries = Object.entries(group).map(([name, entry]) => [
    name,
    typeof entry === "function" ? wrap(entry, prefix + name) : mapFunctions(entry, wrap, `${prefix}${name}.`),
  ]);
  return Object.fromEntries(entries);
}

type Optional<Params> = Record<never, never> extends Params ? [params?: Params] : [params: Params];

/** The registry as a caller sees it. `Extra` are arguments that each call takes besides its parameters. */
export type ClientOf<Registry extends Definitions, Extra extends unknown[] = []> = {
  readonly [Name in keyof Registry]: Registry[Name] extends AnyDefinition
    ? (
        ...args: [...Optional<z.input<Registry[Name]["params"]>>, ...Extra]
      ) => Promise<ResultOf<Registry[Name]>>
    : Registry[Name] extends Definitions
      ? ClientOf<Registry[Name], Extra>
      : never;
};

/** The names and definitions of a registry, nested ones dotted, in the order they were written. */
export function flatten(definitions: Definitions, prefix = ""): [name: string, definition: AnyDefinition][] {
  return Object.entries(definitions).flatMap(([name, entry]) =>
    isDefinition(entry)
      ? [[prefix + name, entry] as [string, AnyDefinition]]
      : flatten(entry, `${prefix}${name}.`),
  );
}

function isDefinition(entry: AnyDefinition | Definitions): entry is AnyDefinition {
  return entry["params"] instanceof z.ZodType;
}

/** REST paths of a method, its own first: v2 `/api/v2/<name>`, v3 `/api/v3/<rest of the name, dots to slashes>`. */
export function restPaths(name: string, definition: AnyDefinition): string[] {
  if (definition.verbs.length === 0) return [];
  return [name, ...(definition.aliases ?? [])].map((each) =>
    each.startsWith("v3.") ? `/api/v3/${each.slice(3).replaceAll(".", "/")}` : `/api/v2/${each}`,
  );
}
