import type {
  AnyDefinition,
  ClientOf,
  Definitions,
  ParamsGiven,
  ResultOf,
} from "../shared/methods/define.js";
import type { Registry } from "../shared/methods/registry.js";
import type { CallOptions } from "./call-options.js";

// Names, parameters and results of all methods, derived from the registry's types. Types only: no run-time code.

/** Every method as a function, v3 ones nested: `methods.v3.jetton.wallets`. */
export type Methods = ClientOf<Registry, [options?: CallOptions]>;

type Names<Group extends Definitions, Prefix extends string = ""> = {
  [Name in keyof Group & string]: Group[Name] extends AnyDefinition
    ? `${Prefix}${Name}`
    : Group[Name] extends Definitions
      ? Names<Group[Name], `${Prefix}${Name}.`>
      : never;
}[keyof Group & string];

/** The JSON-RPC name of a method, such as `getAddressBalance` or `v3.jetton.wallets`. */
export type MethodName = Names<Registry>;

type DefinitionAt<Group, Name extends string> = Name extends keyof Group
  ? Group[Name]
  : Name extends `${infer Head}.${infer Rest}`
    ? Head extends keyof Group
      ? DefinitionAt<Group[Head], Rest>
      : never
    : never;

/** The result of a method; `unknown` for names that are not in the registry. */
export type Result<Name extends string> = [DefinitionAt<Registry, Name>] extends [never]
  ? unknown
  : DefinitionAt<Registry, Name> extends infer D extends AnyDefinition
    ? ResultOf<D>
    : unknown;

/** The parameters of a method. */
export type Params<Name extends MethodName> =
  DefinitionAt<Registry, Name> extends infer D extends AnyDefinition ? ParamsGiven<D> : never;

/** The arguments of a call. Parameters may be omitted if all of them are optional. */
export type Arguments<Name extends MethodName> =
  Record<never, never> extends Params<Name>
    ? [params?: Params<Name>, options?: CallOptions]
    : [params: Params<Name>, options?: CallOptions];
