import { AbiError } from "../../shared/ton/abi/abi-error.js";
import { AbiCoder } from "../../shared/ton/abi/coder.js";
import { type GetMethod, type MessageList, messageLists } from "../../shared/ton/abi/model.js";
import { abiOf, type WrittenAbi, writtenFormat } from "../../shared/ton/abi/written.js";
import { CellError } from "../../shared/ton/cells/cell-error.js";
import { methodId } from "../../shared/ton/tvm/method-id.js";
import { explainComputeCode } from "../../shared/values/exit-codes/compute.js";
import type { ExitMeaning } from "../../shared/values/exit-codes/explain.js";
import type { CallOptions } from "../call-options.js";
import type { Caller } from "../caller.js";
import { succeeded } from "../chain/run-method.js";
import { type StackItem, stack } from "../values/stack.js";
import { bocOf, cellOf, itemOf, slotOf } from "./stack-items.js";

/** The types of a contract's values, as `tonwire types` writes them. */
export type ContractTypes = {
  /** Fields of the messages that contracts send to it, by name. */
  readonly incoming: object;
  /** Fields of the messages that it takes from outside. */
  readonly external: object;
  /** Fields of the messages that it sends. */
  readonly outgoing: object;
  /** Fields of the events that it logs. */
  readonly events: object;
  /** Its storage. */
  readonly storage: unknown;
  /** Its get-methods, as functions. */
  readonly get: object;
};

/** A contract as `tonwire types` writes it. */
export type ContractDefinition<T extends ContractTypes = ContractTypes> = {
  /** Name of the contract. */
  readonly contract: string;
  /** Exit codes with their names. */
  readonly errors: {
    readonly [code: number]: { readonly name: string; readonly description: string };
  };
  /** For the compiler only. */
  readonly types: T;
  /** The ABI, in a form that only this package reads. */
  readonly abi: object;
};

/** Fields of all messages of a contract, by name. */
export type Messages<T extends ContractTypes> = T["incoming"] & T["external"] & T["outgoing"] & T["events"];

/** A body that was read. */
export type ReadBody<T extends ContractTypes> = {
  [Name in keyof Messages<T>]: {
    /** Name of the message. */
    readonly message: Name;
    /** Its fields. */
    readonly fields: Messages<T>[Name];
  };
}[keyof Messages<T>];

type AnyMethod = (...args: never[]) => unknown;
/** A get-method as a function. */
export type Method<T extends ContractTypes, Name extends keyof T["get"]> = T["get"][Name] extends AnyMethod
  ? T["get"][Name]
  : never;

/** Get-methods of a deployed contract: they take arguments by name. */
export type GetMethods<T extends ContractTypes> = {
  readonly [Name in keyof T["get"]]: (
    ...args: Parameters<Method<T, Name>>
  ) => Promise<ReturnType<Method<T, Name>>>;
};

/** A contract at an address. */
export type ContractAt<T extends ContractTypes> = {
  /**
   * Its get-methods. A run that fails rejects with code `conflict`; `exitName` and `exitMeaning` are the contract's if it
   * has a name for the exit code.
   */
  readonly get: GetMethods<T>;
  /** Its storage; `undefined` if it is not deployed, or its data are of another type. */
  storage(options?: CallOptions): Promise<T["storage"] | undefined>;
};

/**
 * Reads and writes the values of a contract. Integers are bigints, cells bags of cells in base64, and bits hex texts. What
 * has another type than the ABI states is a `TypeError`, which names the part.
 */
export class TypedContract<T extends ContractTypes> {
  /** The output of `tonwire types`. */
  readonly definition: ContractDefinition<T>;
  readonly #coder: AbiCoder;

  constructor(definition: ContractDefinition<T>) {
    const { contract, errors } = definition;
    const abi = definition.abi as WrittenAbi;
    if (abi.format !== writtenFormat)
      throw new TypeError(`${contract} was written by another version of tonwire: run tonwire types again`);
    this.definition = definition;
    this.#coder = new AbiCoder(abiOf(contract, abi, errors), "program");
  }

  /** The body of a message. */
  encode<Name extends keyof Messages<T>>(message: Name, fields: Messages<T>[Name]): string {
    const name = String(message);
    const hasName = (list: MessageList) => this.#coder.messages(list).some((each) => each.name === name);
    const list = messageLists.find(hasName) ?? "incoming";
    return bocOf(typed(() => this.#coder.writeBody(list, name, fields)));
  }

  /** Reads a body; `undefined` if it is of no message of the contract. */
  decode(boc: string): ReadBody<T> | undefined {
    const cell = typed(() => cellOf(boc));
    return this.#coder.readBody(cell, messageLists) as ReadBody<T> | undefined;
  }

  /** The data of an account with this storage. */
  encodeStorage(storage: T["storage"]): string {
    return bocOf(typed(() => this.#coder.writeStorage(storage)));
  }

  /** Reads the data of an account; `undefined` if they are of another type. */
  decodeStorage(boc: string): T["storage"] | undefined {
    const cell = typed(() => cellOf(boc));
    return this.#coder.readStorage(cell);
  }

  /** The stack with the arguments of a get-method. */
  encodeArguments<Name extends keyof T["get"]>(
    method: Name,
    ...args: Parameters<Method<T, Name>>
  ): StackItem[] {
    return typed(() => this.#coder.writeArguments(this.#method(method), args[0] ?? {}).map(itemOf));
  }

  /** The result of a get-method. */
  decodeResult<Name extends keyof T["get"]>(
    method: Name,
    stack: readonly StackItem[],
  ): ReturnType<Method<T, Name>> {
    const { name, returns } = this.#method(method);
    const result = this.#coder.readResult(
      this.#method(method),
      typed(() => stack.map(slotOf)),
    );
    if (result === undefined) {
      const { contract } = this.definition;
      throw new TypeError(`${name} of ${contract} did not return ${this.#coder.nameOf(returns)}`);
    }
    return result as ReturnType<Method<T, Name>>;
  }

  /** Name or id by which services run a get-method. */
  methodKey(method: keyof T["get"]): string | number {
    const { name, id } = this.#method(method);
    return id === methodId(name) ? name : id;
  }

  /** Names of the get-methods. */
  methods(): (keyof T["get"])[] {
    return this.#coder.abi.getMethods.map(({ name }) => name as keyof T["get"]);
  }

  /** Names of the messages that it takes, from contracts or from outside. */
  messages<List extends "incoming" | "external">(list: List): (keyof T[List])[] {
    return this.#coder.messages(list).map(({ name }) => name as keyof T[List]);
  }

  /** The contract at an address. */
  at(client: Pick<Caller, "call">, address: string): ContractAt<T> {
    const run = async (name: keyof T["get"], ...args: Parameters<Method<T, typeof name>>) => {
      const items = this.encodeArguments(name, ...args);
      const params = { address, method: this.methodKey(name), stack: stack.encode(items) };
      const answer = succeeded(await client.call("runGetMethod", params), params, this.#meaningOf);
      return this.decodeResult(name, stack.decode(answer.stack));
    };
    const get = this.methods().map((name) => [name, run.bind(undefined, name)] as const);
    return {
      get: Object.fromEntries(get) as GetMethods<T>,
      storage: async (options) => {
        const { data } = await client.call("getAddressInformation", { address }, options);
        return data === "" ? undefined : this.decodeStorage(data);
      },
    };
  }

  #method(name: PropertyKey): GetMethod {
    const method = this.#coder.getMethod(String(name));
    if (!method) throw new TypeError(`${this.definition.contract} has no get-method ${String(name)}`);
    return method;
  }

  /** The contract's meaning of an exit code, or the machine's. */
  readonly #meaningOf = (code: number): ExitMeaning | undefined => {
    const error = this.#coder.errorOf(code);
    if (!error) return explainComputeCode(code);
    const { name, description } = error;
    return { name: name || String(code), text: description || name };
  };
}

/** Values of other types are the caller's fault. */
function typed<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    if (error instanceof AbiError || error instanceof CellError)
      throw new TypeError(error.message, { cause: error });
    throw error;
  }
}
