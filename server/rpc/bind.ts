import {
  type AnyDefinition,
  type Call,
  type Definitions,
  type Freshness,
  flatten,
  type ParamsOf,
  type ResultOf,
} from "../../shared/methods/define.js";
import type { JsonText } from "../../shared/methods/json-text.js";
import { ListCursor } from "../../shared/values/list-cursor.js";
import { type Api, apiOf, type ServiceError } from "../errors.js";
import { pageFrom } from "./list-cursors.js";
import { ParamReader } from "./params/params.js";
import { Positions } from "./params/positions.js";

/** What calls of a group of handlers pass before and after their handler; see `runOf`. */
type GroupRules = {
  /** The refusal of a call that cannot be run now. `name` is the method's name in the registry. */
  readonly refusal?: (name: string) => ServiceError | undefined;
  /** The error of the call for an error of its handler. */
  readonly errorOf?: (error: unknown) => unknown;
};

/** One function per method, nested like the definitions: the handler with its dependencies, and the rules of its group. */
export type Implementations<Group extends Definitions> = {
  readonly [Name in keyof Group]: Group[Name] extends AnyDefinition
    ? GroupRules &
        ((params: ParamsOf<Group[Name]>, call: Call) => Result<Group[Name]> | Promise<Result<Group[Name]>>)
    : Group[Name] extends Definitions
      ? Implementations<Group[Name]>
      : never;
};

type Result<D extends AnyDefinition> = ResultOf<D> | JsonText<ResultOf<D>>;

/** An implementation of every method; the methods of `devnet` may be absent on other networks. */
export type AllImplementations<Registry extends Definitions> = Implementations<Omit<Registry, "devnet">> &
  Partial<Implementations<Pick<Registry, "devnet" & keyof Registry>>>;

type Handler<Deps> = (params: never, deps: Deps, call: Call) => unknown;
type HandlerGroup<Deps> = { readonly [name: string]: Handler<Deps> | HandlerGroup<Deps> };

/** The functions of a group of handlers without their second parameter. */
type Implemented<Group> = {
  readonly [Name in keyof Group]: Group[Name] extends (
    params: infer Params,
    deps: never,
    call: Call,
  ) => infer Found
    ? GroupRules & ((params: Params, call: Call) => Found)
    : Implemented<Group[Name]>;
};

/**
 * Gives handlers their dependencies and the rules of their group, also in nested groups. With `depsOf` the dependencies
 * depend on the caller.
 */
export function implement<Group extends HandlerGroup<Deps>, Deps>(
  handlers: Group,
  deps: Deps,
  { depsOf = () => deps, ...rules }: GroupRules & { depsOf?: (call: Call) => Deps } = {},
): Implemented<Group> {
  const entries = Object.entries(handlers).map(([name, entry]) => [
    name,
    typeof entry === "function"
      ? Object.assign((params: never, call: Call) => entry(params, depsOf(call), call), rules)
      : implement(entry, deps, { depsOf, ...rules }),
  ]);
  return Object.fromEntries(entries);
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
  readonly run: Run;
};

type Run = (params: Readonly<Record<string, unknown>>, call: Call) => unknown;

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
    const api = apiOf(name);
    const run = runOf(name, find(implementations, name));
    const params = new ParamReader(definition.params, api, definition);
    const positions = new Positions(definition.params);
    const rules = contentRules[name];
    if (definition.freshness.kind === "content" && !rules)
      throw new TypeError(`the method ${name} has no rules for its content`);
    const method = { name, api, definition, params, positions, run, ...(rules && { rules }) } as const;
    for (const each of [name, ...(definition.aliases ?? [])]) methods.set(each, method);
  }
  return methods;
}

/**
 * A run of a method, as `Dispatcher` and the calls of the service to itself start it. In this order: its group refuses
 * it, or it begins behind the cursor in its parameters; its handler answers; its group explains an error.
 */
function runOf(name: string, handle: Run & GroupRules): Run {
  const { refusal, errorOf = (error) => error } = handle;
  const fail = (error: unknown): never => {
    throw errorOf(error);
  };
  return (params, call) => {
    const refused = refusal?.(name);
    if (refused) throw refused;
    const { cursor } = params;
    try {
      const result =
        cursor instanceof ListCursor
          ? pageFrom(cursor, { name, params, call, run: handle })
          : handle(params, call);
      return handle.errorOf && result instanceof Promise ? result.catch(fail) : result;
    } catch (error) {
      return fail(error);
    }
  };
}

function find(implementations: object, name: string): Run & GroupRules {
  let found: unknown = implementations;
  for (const part of name.split(".")) found = (found as Record<string, unknown> | undefined)?.[part];
  if (typeof found !== "function") throw new TypeError(`the method ${name} has no handler`);
  return found as Run;
}

/** A freshness that does not depend on the parameters. */
export type PlainFreshness = Exclude<Freshness, { kind: "content" }>;

/** Rules of a method whose freshness and cost depend on the content of its calls. */
export type ContentRules = {
  freshness(params: Readonly<Record<string, unknown>>): PlainFreshness;
  /** Points that a call costs. `given` has the parameters as sent, which may be invalid. */
  points(given: (name: string) => unknown): number;
};

type Ruled = { readonly definition: { readonly freshness: Freshness }; readonly rules?: ContentRules };

/** The freshness of a call. `bind` has checked that its method has rules where it needs them. */
export function freshnessOf(
  { definition: { freshness }, rules }: Ruled,
  params: Readonly<Record<string, unknown>>,
): PlainFreshness {
  return freshness.kind === "content" ? rules!.freshness(params) : freshness;
}
