import type { AbiCoder } from "../../shared/ton/abi/coder.js";
import { type MessageList, messageLists, type TypeIndex } from "../../shared/ton/abi/model.js";
import { prefixText } from "../../shared/ton/abi/type-names.js";

/** A field or a parameter, with its type as in Tolk. */
type TypedName = { readonly name: string; readonly type: string };

/** The interface of a contract in words. Types that are no structures have one field, `value`. */
type ContractInterface = {
  /** Forms of the storage, the usual one first. */
  readonly storage: { readonly type: string; readonly fields: TypedName[] }[];
  readonly getMethods: {
    readonly name: string;
    readonly id: number;
    readonly parameters: TypedName[];
    readonly returns: string;
    readonly description: string;
  }[];
  readonly messages: {
    readonly direction: MessageList;
    readonly name: string;
    /** The first bits of its bodies in hex. */
    readonly opcode: string | null;
    readonly fields: TypedName[];
  }[];
  readonly errors: { readonly code: number; readonly name: string; readonly description: string }[];
  /** Whether members were left out, as there are more than `Room` has. */
  readonly isCut: boolean;
};

const maxDescription = 300;

/** How many members of interfaces are described: methods, messages, errors, fields and parameters. */
export class Room {
  #left: number;

  constructor(members: number) {
    this.#left = members;
  }

  /** As many of the items as there is room for. */
  take<T>(items: readonly T[]): T[] {
    const taken = items.slice(0, this.#left);
    this.#left -= taken.length;
    return taken;
  }

  get isFull(): boolean {
    return this.#left === 0;
  }
}

export function interfaceOf(coder: AbiCoder, room: Room): ContractInterface {
  const { abi } = coder;
  const nameOf = (type: TypeIndex) => coder.nameOf(type);
  const named = (fields: readonly { readonly name: string; readonly type: TypeIndex }[]) =>
    room.take(fields).map(({ name, type }) => ({ name, type: nameOf(type) }));
  const fieldsOf = (type: TypeIndex) => named(coder.fieldsOf(type) ?? [{ name: "value", type }]);
  return {
    storage: room.take(abi.storage).map((type) => ({ type: nameOf(type), fields: fieldsOf(type) })),
    getMethods: room.take(abi.getMethods).map(({ name, id, parameters, returns, description }) => ({
      name,
      id,
      parameters: named(parameters),
      returns: nameOf(returns),
      description: description.slice(0, maxDescription),
    })),
    messages: messageLists.flatMap((direction) =>
      room.take(coder.messages(direction)).map(({ name, prefix, type }) => ({
        direction,
        name,
        opcode: prefix ? prefixText(prefix) : null,
        fields: fieldsOf(type),
      })),
    ),
    errors: room.take([...abi.errors]).map(([code, { name, description }]) => ({
      code,
      name,
      description: description.slice(0, maxDescription),
    })),
    isCut: room.isFull,
  };
}
