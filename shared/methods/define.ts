import { z } from "zod";
import type { ErrorCode } from "../rpc/errors.js";
import type { JsonText } from "./json-text.js";
import type { Subscriber } from "./subscriber.js";

export type Verb = "GET" | "POST";

/**
 * How long a result is cached. Errors are never cached.
 * - `head`: until the next masterchain block; permanently if every parameter of `pinnedBy` is given.
 * - `index`: until the index stores the next block.
 * - `both`: until the chain has a new block or the index stores one.
 * - `immutable`: permanently.
 * - `none`: not cached, but equal calls in flight share one run.
 * - `effect`: not cached and not shared; the call changes something, so it continues if its caller disconnects.
 * - `content`: one of the others, which the server derives from the parameters of each call.
 */
export type Freshness =
  | { readonly kind: "head"; readonly pinnedBy?: readonly string[] }
  | { readonly kind: "index" }
  | { readonly kind: "both" }
  | { readonly kind: "immutable" }
  | { readonly kind: "none" }
  | { readonly kind: "effect" }
  | { readonly kind: "content" };

type Example<Params extends z.ZodObject, Result extends z.ZodType> = {
  readonly params: z.input<Params>;
  readonly result: z.output<Result>;
  /** Parameters that name something in the sample data of a devnet, by `ofStory`; its documents have these. */
  readonly story?: { readonly [Name in keyof z.input<Params>]?: unknown };
};

export type Definition<Params extends z.ZodObject = z.ZodObject, Result extends z.ZodType = z.ZodType> = {
  readonly summary: string;
  readonly description?: string;
  /** Heading of the method in OpenAPI, OpenRPC and `shared/README.md`. */
  readonly group: string;
  readonly params: Params;
  readonly result: Result;
  /** REST verbs; a method without verbs is available by JSON-RPC only. */
  readonly verbs: readonly Verb[];
  /** Other names of the method, of the same form: `shards` for `getShards`. */
  readonly aliases?: readonly string[];
  /**
   * REST path, if it cannot be derived from the name. `:name` stands for the value of a parameter, and `:name?` at the end for one
   * that may be left out.
   */
  readonly path?: string;
  /** The parameter that a POST body is the text of; other bodies are JSON objects. */
  readonly textBody?: string;
  /** If a GET query has both parameters, the second is ignored. POST bodies are not affected. */
  readonly winsInQuery?: readonly [winner: string, loser: string];
  /** Beginning of the error for an unreadable body. Its status is then 400. */
  readonly bodyRefusal?: string;
  readonly freshness: Freshness;
  readonly examples: readonly [Example<Params, Result>, ...Example<Params, Result>[]];
  /** Errors of this method in addition to those of every call (bad parameters, keys, limits, timeout, defects). */
  readonly errors?: readonly ErrorCode[];
  /** Deadline of this method if it is longer than the service's deadline for calls. */
  readonly timeoutMs?: number;
  /** The only network on which the method exists. */
  readonly network?: "devnet";
  /** Its results come from transactions of the executor, whose version their answers name in a header. */
  readonly runsTransactions?: true;
  /**
   * Its results come from the catalogue of contracts, whose revision a header of their REST answers names. Those to GET have
   * an ETag.
   */
  readonly readsCatalogue?: true;
  /** Its results may be very long: their bytes cost points, too. */
  readonly paysForLength?: true;
  /** Points of the caller's rate limit that a call costs. Default: 1. */
  readonly points?: number;
  /** Costs no point of the caller's rate limit. */
  readonly free?: true;
  /** The result contains calls of other callers, so pages of other sites may not read it. */
  readonly forOwner?: true;
  /** Belongs to the key of its caller: refused without one, and never shared with other callers. */
  readonly needsKey?: true;
  /** Parameters that are never stored, not even in the history of calls. */
  readonly secrets?: readonly string[];
  /** The method's form on the command line, where it differs from its parameters and its name. */
  readonly command?: CommandHints;
};

export type CommandHints = {
  /** A shorter name. */
  readonly name?: string;
  /** The parameter, or the member of the result, that is the content of a file. */
  readonly file?: string;
  /** Names of options that parameters have there, where their own names mean something else. */
  readonly options?: Readonly<Record<string, string>>;
  /** Members of the result with separate commands that show only them. */
  readonly shows?: readonly string[];
};

/**
 * Whether calls change the devnet, or reveal its owner's activity. They are refused to pages of other sites: see
 * `server/access/local-request.ts`.
 */
export function isForOwner({
  network,
  freshness,
  forOwner,
}: Pick<AnyDefinition, "network" | "freshness" | "forOwner">): boolean {
  return network === "devnet" && (freshness.kind === "effect" || forOwner === true);
}

/** Type-checks a definition and keeps its exact types. */
export function defineMethod<Params extends z.ZodObject, Result extends z.ZodType>(
  definition: Definition<Params, Result>,
): Definition<Params, Result> {
  return definition;
}

// biome-ignore lint/suspicious/noExplicitAny: a definition is invariant in its schemas, so only `any` holds them all
export type AnyDefinition = Definition<any, any>;
// biome-ignore lint/suspicious/noExplicitAny: as above
export type AnyExample = Example<any, any>;
/** A group of definitions by method name. Groups nest: `{ jetton: { burns } }` is the method `jetton.burns`. */
export type Definitions = { readonly [name: string]: AnyDefinition | Definitions };

// shared/ compiles without the types of Node and browsers; in other folders this is AbortSignal.
type CancelSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } } ? Signal : unknown;

/** Arguments of a handler in addition to parameters and dependencies. */
export type Call = {
  /** Fires at the deadline, or when the last caller that waits for the result has disconnected. */
  readonly signal: CancelSignal;
  /** Indices of the liteservers that the handler has asked; callers read them in `@extra`. */
  readonly asked: Set<number>;
  /** Key id or address bucket of the first caller; equal calls share a run. */
  readonly caller?: string | undefined;
  /** Id of the key whose possessions the call is about; absent for callers without one. */
  readonly owner?: string | undefined;
  /** Whether the plan of that caller has no rate limit. */
  readonly unlimited?: boolean;
  /** Whether that caller is on the devnet's machine, or has the devnet's own key. Absent: it is not. */
  readonly isLocal?: (() => Promise<boolean>) | undefined;
  /** Receives the CPU time of runs of contracts in milliseconds, which that caller pays. */
  readonly spent?: ((cpuMs: number) => void) | undefined;
  /** Charges that caller points besides, such as those of work that a cache may spare. */
  readonly charge?: ((points: number) => void) | undefined;
  readonly options: CallOptions;
  /** The caller's connection; absent if it is no WebSocket. */
  readonly subscriber?: Subscriber | undefined;
  /** How new the index must be for it: with a masterchain block, or with all that is known of. Default: any that is read. */
  readonly leastIndex?: number | "newest" | undefined;
  /** Receives each version of the index that is read for it. */
  readonly readAt?: ((version: { readonly n: number; readonly seqno: number }) => void) | undefined;
  /** Notes where it is answered from, for the log of the operator. */
  readonly trail?: ReadTrail | undefined;
  /** Handlers set it if a later call may have a better result: this one is then never cached. */
  provisional?: boolean;
  /** The cursor of the next page of a list whose result is an array; `null` at its end. */
  nextCursor?: string | null;
};

/** Where a call is answered from, and how long its reads take. */
export interface ReadTrail {
  /** The database server that was asked last, or that answers. */
  door: string | undefined;
  /** Call the result when the read of that name has ended. */
  begin(name: string): () => void;
}

/** Options of v3 requests; v2 methods ignore them. */
export type CallOptions = {
  readonly timeoutMs?: number;
  readonly noAddressBook?: boolean;
  readonly noMetadata?: boolean;
  readonly actionsVersion?: string;
};

/** Parameters as handlers get them, after parsing. */
export type ParamsOf<D extends AnyDefinition> = z.output<D["params"]>;
/** Parameters as callers write them, before parsing. */
export type ParamsGiven<D extends AnyDefinition> = z.input<D["params"]>;
/** Results as handlers give them and clients get them. */
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

/** Names and definitions of a registry in the order of declaration; names in nested groups are dotted. */
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

/** A REST path of a method. */
export type RestForm = {
  /** The name of the method, or its alias, that the path belongs to. */
  readonly name: string;
  /** The path with `:name` for each parameter in it. */
  readonly path: string;
  readonly verbs: readonly Verb[];
  readonly isAlias: boolean;
};

type RestParts = Pick<AnyDefinition, "verbs" | "path" | "aliases" | "textBody">;

/**
 * REST paths of a method, aliases last: v2 `/api/v2/<name>`, v3 `/api/v3/<rest of the name, dots to slashes>`, v4 the same with
 * `/api/v4`, unless the definition has another. A path whose last parameter may be left out is two paths.
 */
export function restForms(
  name: string,
  { verbs, path = restPath(name), aliases = [], textBody }: RestParts,
): RestForm[] {
  if (verbs.length === 0) return [];
  const own = pathsOf(path).map((each): RestForm => {
    const hasText = textBody !== undefined && pathParams(each).includes(textBody);
    return {
      name,
      path: each,
      verbs: hasText ? verbs.filter((verb) => verb !== "POST") : verbs,
      isAlias: false,
    };
  });
  return [...own, ...aliases.map((alias) => ({ name: alias, path: restPath(alias), verbs, isAlias: true }))];
}

/** The paths of `restForms`. */
export function restPaths(name: string, parts: RestParts): string[] {
  return restForms(name, parts).map(({ path }) => path);
}

/** Names of the parameters in a path, in their order. */
export function pathParams(path: string): string[] {
  return path.split("/").flatMap((part) => (part.startsWith(":") ? [part.slice(1)] : []));
}

function pathsOf(path: string): string[] {
  const start = path.indexOf("/:", path.lastIndexOf("/"));
  return path.endsWith("?") ? [path.slice(0, start), path.slice(0, -1)] : [path];
}

function restPath(name: string): string {
  const [api, ...rest] = name.split(".");
  return rest.length > 0 && (api === "v3" || api === "v4")
    ? `/api/${api}/${rest.join("/")}`
    : `/api/v2/${name}`;
}
