import {
  type AnyDefinition,
  type Call,
  type Definitions,
  flatten,
  type Handlers,
  mapFunctions,
  type ParamsOf,
  type ResultOf,
} from "../../shared/methods/define.js";
import type { JsonText } from "../../shared/methods/json-text.js";
import type { Api } from "../errors.js";
import type { ContentRules } from "./content-rules.js";
import { withCursors } from "./list-cursors.js";
import { ParamReader } from "./params.js";
import { Positions } from "./positions.js";

/** One function per method, nested like the definitions, with its dependencies bound. */
export type Implementations<Group extends Definitions> = {
  readonly [Name in keyof Group]: Group[Name] extends AnyDefinition
    ? (params: ParamsOf<Group[Name]>, call: Call) => Result<Group[Name]> | Promise<Result<Group[Name]>>
    : Group[Name] extends Definitions
      ? Implementations<Group[Name]>
      : never;
};

type Result<D extends AnyDefinition> = ResultOf<D> | JsonText<ResultOf<D>>;

/** An implementation of every method; the methods of `devnet` may be absent on other networks. */
export type AllImplementations<Registry extends Definitions> = Implementations<Omit<Registry, "devnet">> &
  Partial<Implementations<Pick<Registry, "devnet" & keyof Registry>>>;

/** Binds handlers to their dependencies, nested groups included. The definitions only give the types. */
export function implement<Group extends Definitions, Deps>(
  _definitions: Group,
  handlers: Handlers<Group, Deps, "text">,
  deps: Deps,
): Implementations<Group> {
  const bound = mapFunctions(handlers, (handle) => (params, call) => handle(params, deps, call));
  // Each function is the handler of the same name without its second parameter.
  return bound as Implementations<Group>;
}

/** A method as the dispatcher runs it. Types are erased here: `params` reads what `run` takes. */
export type BoundMethod = {
  /** The name in the registry, also for a call by an alias. */
  readonly name: string;
  readonly api: Api;
  readonly definition: AnyDefinition;
  readonly params: ParamReader;
  readonly positions: Positions;
  /** Present if its freshness is `content`. */
  readonly rules?: ContentRules;
  readonly run: (params: Readonly<Record<string, unknown>>, call: Call) => unknown;
};

/** Methods by JSON-RPC name and alias. A Map, so that `toString` is not a method. */
export type Methods = ReadonlyMap<string, BoundMethod>;

/**
 * Joins each definition with its implementation, and with the rules of its content where it has some; throws if one is
 * missing. Omits methods of other networks.
 */
export function bind<Registry extends Definitions>(
  registry: Registry,
  implementations: AllImplementations<Registry>,
  network: string,
  contentRules: Readonly<Record<string, ContentRules>> = {},
): Methods {
  const methods = new Map<string, BoundMethod>();
  for (const [name, definition] of flatten(registry)) {
    if (definition.network !== undefined && definition.network !== network) continue;
    const api = name.startsWith("v3.") ? "v3" : "v2";
    const run = withCursors(name, definition, find(implementations, name));
    const params = new ParamReader(definition.params, api, definition.winsInQuery);
    const positions = new Positions(definition.params);
    const rules = contentRules[name];
    if (definition.freshness.kind === "content" && !rules)
      throw new TypeError(`the method ${name} has no rules for its content`);
    const method = { name, api, definition, params, positions, run, ...(rules && { rules }) } as const;
    for (const each of [name, ...(definition.aliases ?? [])]) methods.set(each, method);
  }
  return methods;
}

function find(implementations: object, name: string): BoundMethod["run"] {
  let found: unknown = implementations;
  for (const part of name.split(".")) found = (found as Record<string, unknown> | undefined)?.[part];
  if (typeof found !== "function") throw new TypeError(`the method ${name} has no handler`);
  return found as BoundMethod["run"];
}
