import {
  type Address,
  Cell,
  type Contract,
  type ContractProvider,
  type Sender,
  type StateInit,
} from "@ton/core";
import type { ContractTypes, Method, TypedContract } from "../contract/typed-contract.js";
import { toStackItem, toTupleItem } from "./tuple-items.js";

/** Value and options of a message, as `ContractProvider.internal` takes them. */
export type SendOptions = Omit<Parameters<ContractProvider["internal"]>[1], "body">;

type GetName<Name> = Name extends `get${string}` ? Name : `get${Capitalize<Name & string>}`;
type Rest<Method> = Method extends (...args: infer Args) => infer Result
  ? (provider: ContractProvider, ...args: Args) => Promise<Result>
  : never;

/**
 * Wrapper of a contract: `getCounter(args)` for each get-method, `sendIncrease(via, { value }, fields)` for each message, and
 * `sendExternalIncrease(fields)` for each message from outside.
 */
export type ContractWrapper<T extends ContractTypes> = Contract & {
  readonly [Name in keyof T["get"] as GetName<Name>]: Rest<T["get"][Name]>;
} & {
  readonly [Name in keyof T["incoming"] as `send${Capitalize<Name & string>}`]: (
    provider: ContractProvider,
    via: Sender,
    options: SendOptions,
    fields: T["incoming"][Name],
  ) => Promise<void>;
} & {
  readonly [Name in keyof T["external"] as `sendExternal${Capitalize<Name & string>}`]: (
    provider: ContractProvider,
    fields: T["external"][Name],
  ) => Promise<void>;
};

/** Makes a wrapper of a contract for `open` of @ton/core, `TonClient` and others. `init` is sent until it is deployed. */
export function contractWrapper<T extends ContractTypes>(
  contract: TypedContract<T>,
  address: Address,
  init?: StateInit,
): ContractWrapper<T> {
  const members: Record<string, unknown> = { address, ...(init && { init }) };
  const add = (name: string, member: (provider: ContractProvider, ...args: never) => Promise<unknown>) => {
    if (!Object.hasOwn(members, name)) members[name] = member;
  };
  for (const method of contract.methods())
    add(getName(String(method)), async (provider, ...args: Parameters<Method<T, keyof T["get"]>>) => {
      const stack = contract.encodeArguments(method, ...args).map(toTupleItem);
      const { stack: reader } = await provider.get(contract.methodKey(method), stack);
      const items = Array.from({ length: reader.remaining }, () => toStackItem(reader.pop()));
      return contract.decodeResult(method, items);
    });
  const bodyOf = (message: keyof T["incoming"] | keyof T["external"], fields: never) =>
    Cell.fromBase64(contract.encode(message, fields));
  for (const message of contract.messages("incoming"))
    add(`send${capitalized(String(message))}`, (provider, via: Sender, options: SendOptions, fields) =>
      provider.internal(via, { ...options, body: bodyOf(message, fields) }),
    );
  for (const message of contract.messages("external"))
    add(`sendExternal${capitalized(String(message))}`, (provider, fields) =>
      provider.external(bodyOf(message, fields)),
    );
  return members as unknown as ContractWrapper<T>;
}

function getName(method: string): string {
  return method.startsWith("get") ? method : `get${capitalized(method)}`;
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
