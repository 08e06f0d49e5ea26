import { firstOwnCode } from "../../values/exit-codes/kinds.js";
import { lazy } from "../../values/lazy.js";
import { BodyTooLarge } from "../bodies/budget.js";
import { beginCell } from "../cells/builder.js";
import type { Cell } from "../cells/cell.js";
import { CellError } from "../cells/cell-error.js";
import { TlbError } from "../tlb/codec.js";
import type { StackValue } from "../tvm/stack.js";
import { AbiError } from "./abi-error.js";
import { type Message, Messages } from "./messages.js";
import type { AbiType, ContractAbi, Field, GetMethod, MessageList, ThrownError, TypeIndex } from "./model.js";
import { Types, type Variant } from "./types.js";
import type { AbiValue } from "./value.js";
import { weightOf } from "./weight.js";
import { type JsonForm, Work } from "./work.js";

/** A body that was read: the name of the message, and its fields as JSON. */
type ReadMessage = { readonly message: string; readonly fields: Record<string, unknown> };

/**
 * Reads and writes values by the types of one ABI, within the limits of `Work`. Readers give `undefined` for what does
 * not fit; writers throw an AbiError that names the part.
 */
export class AbiCoder {
  readonly abi: ContractAbi;
  readonly #types: Types;
  readonly #form: JsonForm;
  readonly #messages: Messages;
  readonly #byName = lazy(
    () => new Map(this.abi.types.map((_, index) => [withoutSpaces(this.nameOf(index)), index])),
  );

  /** `form`: that of shown values, unless a reader takes another one. Throws an AbiError if the ABI has too many messages. */
  constructor(abi: ContractAbi, form: JsonForm = "own") {
    this.abi = abi;
    this.#form = form;
    this.#types = new Types(abi);
    this.#messages = new Messages(abi, this.#types);
  }

  /**
   * A body that belongs to one of these lists, the first of them first. Data after its fields are ignored. With the same
   * work, attempts by several ABIs share its limits.
   */
  readBody(
    cell: Cell,
    lists: readonly MessageList[],
    work = Work.onCell(cell, this.#form),
  ): ReadMessage | undefined {
    const read = this.#readMessage(cell, lists, work);
    return read && { message: read.message.name, fields: this.#fieldsOf(read.message, read.shown) };
  }

  /** A body as a value of the type that the ABI states for it, in TON Center's form. */
  decodeBody(cell: Cell, list: MessageList): { type: TypeIndex; value: unknown } | undefined {
    const read = this.#readMessage(cell, [list], Work.onCell(cell, "ton-center"));
    return read && { type: read.message.body, value: read.shown };
  }

  #readMessage(cell: Cell, lists: readonly MessageList[], work: Work) {
    if (cell.exotic) return undefined;
    return ifFits(() => {
      for (const list of lists)
        for (const message of this.#messages.candidates(cell, list)) {
          if (work.isExhausted) return undefined;
          // Each attempt costs something, whatever its type is.
          const read = ifFits(() =>
            work.attempt(() => {
              const own = work.again();
              return { message, shown: own.part("", () => this.#shownFrom(cell, message.body, own, "body")) };
            }),
          );
          if (read) return read;
        }
      return undefined;
    });
  }

  /** All of the storage, by default in any of its forms: bits that are left over are an error. */
  readStorage(cell: Cell, form = this.#form, types = this.abi.storage): unknown {
    return this.readStorageForm(cell, form, types)?.value;
  }

  /** The storage, and which of its types it has. */
  readStorageForm(
    cell: Cell,
    form = this.#form,
    types = this.abi.storage,
  ): { type: TypeIndex; value: unknown } | undefined {
    if (cell.exotic) return undefined;
    for (const type of types) {
      const value = ifFits(() => this.#shownFrom(cell, type, Work.onCell(cell, form, "other"), "storage"));
      if (value !== undefined) return { type, value };
    }
    return undefined;
  }

  /** A value of any type. Data behind it are ignored. */
  readValue(cell: Cell, type: TypeIndex): unknown {
    if (cell.exotic) return undefined;
    return ifFits(() => this.#shownFrom(cell, type, Work.onCell(cell, this.#form, "other"), "body"));
  }

  #shownFrom(cell: Cell, type: TypeIndex, work: Work, place: "body" | "storage"): unknown {
    const slice = cell.parse();
    const kind = this.#types.kind(type);
    const value = kind.load(slice, work);
    if (place === "storage") slice.end();
    return kind.show(value, work);
  }

  /** The result of a get-method; `undefined` if the stack is of another type. */
  readResult(method: GetMethod, stack: readonly StackValue[], form = this.#form): unknown {
    return ifFits(() => {
      const work = Work.onValues(form);
      const value = this.popResult(method, stack);
      return this.#types.kind(method.returns).show(value, work);
    });
  }

  /** Like `readResult`, as a value; throws an error if the stack is of another type. */
  popResult({ returns }: GetMethod, stack: readonly StackValue[]): AbiValue {
    const kind = this.#types.kind(returns);
    const width = kind.width();
    if (stack.length !== width)
      throw new AbiError(`the stack has ${stack.length} values, not ${width} of ${this.nameOf(returns)}`);
    return kind.pop(stack, Work.onValues(this.#form));
  }

  /** Arguments in order or by name. */
  writeArguments({ name, parameters }: GetMethod, given: unknown): StackValue[] {
    const work = Work.onValues(this.#form);
    const isList = Array.isArray(given);
    if (!isList && (typeof given !== "object" || given === null))
      throw new AbiError("arguments are a list, or an object by name");
    const byName = given as Readonly<Record<string, unknown>>;
    const unknown = isList
      ? given.length > parameters.length && `more than ${parameters.length} arguments`
      : Object.keys(byName).find((key) => !parameters.some((parameter) => parameter.name === key));
    if (unknown) throw new AbiError(`${name} does not take ${unknown.slice(0, 100)}`);
    const stack: StackValue[] = [];
    for (const [i, { name: parameter, type, fallback }] of parameters.entries()) {
      const has = isList ? i < given.length : Object.hasOwn(byName, parameter);
      const json = has ? (isList ? given[i] : byName[parameter]) : fallback?.json;
      const kind = this.#types.kind(type);
      withinCells(work, () => work.part(parameter, () => kind.push(kind.parse(json, work), stack, work)));
    }
    return stack;
  }

  /** A body of the message of this name, from its fields as JSON. */
  writeBody(list: MessageList, name: string, fields: unknown): Cell {
    const message = this.messages(list).find((each) => each.name === name);
    if (!message) throw new AbiError(`the contract has no message ${name.slice(0, 100)}`);
    const { isVariant, body } = message;
    const given = (fields ?? {}) as Readonly<Record<string, unknown>>;
    if (isVariant) return this.#write(body, { ...given, "@type": name });
    return this.#write(body, this.hasFields(message) ? given : given["value"]);
  }

  /** Storage, from its fields as JSON. */
  writeStorage(fields: unknown): Cell {
    const [usual] = this.abi.storage;
    if (usual === undefined) throw new AbiError("the ABI has no storage");
    return this.#write(usual, fields);
  }

  #write(type: TypeIndex, json: unknown): Cell {
    const work = Work.onValues(this.#form);
    const kind = this.#types.kind(type);
    const builder = beginCell();
    withinCells(work, () => kind.store(kind.parse(json, work), builder, work));
    return builder.endCell();
  }

  /** Whether a message has fields of its own. Else `value` is its only field. */
  hasFields({ type, isVariant }: Pick<Message, "type" | "isVariant">): boolean {
    return isVariant ? this.#types.formOf(type) === "structure" : this.#types.hasFields(type);
  }

  #fieldsOf(message: Message, shown: unknown): Record<string, unknown> {
    if (!message.isVariant && !this.hasFields(message)) return { value: shown };
    const { "@type": _, ...fields } = (shown ?? { value: null }) as Record<string, unknown>;
    return fields;
  }

  /** About how many bytes of memory the ABI takes. */
  get weight(): number {
    return weightOf(this.abi, this.#messages.count);
  }

  /** The messages of a list, unions divided. */
  messages(list: MessageList): readonly Message[] {
    return this.#messages.of(list);
  }

  /** Opcodes of 32 bits, of all messages. */
  opcodes(): number[] {
    return this.#messages.opcodes();
  }

  /** Name of the message of an opcode of 32 bits. */
  opcodeName(opcode: number, lists: readonly MessageList[]): string | undefined {
    return this.#messages.ofOpcode(opcode, lists)?.name;
  }

  /** Why a get-method cannot be called by its types; `undefined` if it can. */
  whyUnsupported({ parameters, returns }: GetMethod): string | undefined {
    try {
      for (const { name, type } of parameters) {
        this.#types.kind(type).width();
        if (this.#types.behindAliases(type).type.kind === "raw")
          return `values of the parameter ${name} cannot be given, as its type is not known`;
      }
      this.#types.kind(returns).width();
      return undefined;
    } catch (error) {
      if (error instanceof AbiError) return error.message;
      throw error;
    }
  }

  /** A get-method by its name or id. */
  getMethod(nameOrId: string | number): GetMethod | undefined {
    return this.abi.getMethods.find(({ name, id }) => name === nameOrId || id === nameOrId);
  }

  /** Fields of a structure or of an alias of one; `undefined` for other types. */
  fieldsOf(type: TypeIndex): readonly Field[] | undefined {
    return this.#types.fields(type)?.flat();
  }

  /** The type that an alias stands for; others stand for themselves. */
  behindAliases(type: TypeIndex): AbiType {
    return this.#types.behindAliases(type).type;
  }

  /** Variants of a union or of an alias of one; `undefined` for other types. */
  variantsOf(type: TypeIndex): readonly Variant[] | undefined {
    return this.#types.variants(type);
  }

  /** The name of a type as in Tolk. Long ones are cut. */
  nameOf(type: TypeIndex): string {
    return this.#types.names.of(type);
  }

  wholeNameOf(type: TypeIndex): string {
    return this.#types.names.whole(type);
  }

  /** The type of a name as in Tolk, spaces aside; `undefined` if the ABI has none. */
  typeNamed(name: string): TypeIndex | undefined {
    return this.#byName().get(withoutSpaces(name));
  }

  /** The contract's error of an exit code. A code of the machine counts only with a name: the contract may not have thrown it. */
  errorOf(code: number): ThrownError | undefined {
    const error = this.abi.errors.get(code);
    return error && (error.name || (code >= firstOwnCode && error.description)) ? error : undefined;
  }
}

function withoutSpaces(name: string): string {
  return name.replaceAll(" ", "");
}

function ifFits<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isMisfit(error)) return undefined;
    throw error;
  }
}

function isMisfit(error: unknown): boolean {
  return (
    error instanceof CellError ||
    error instanceof TlbError ||
    error instanceof AbiError ||
    error instanceof BodyTooLarge
  );
}

/** Values that fit no cell, or no budget, are the caller's fault. */
function withinCells(work: Work, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (error instanceof BodyTooLarge) throw new AbiError("the value is too large");
    if (error instanceof CellError || error instanceof TlbError)
      throw new AbiError(`${work.place}: ${error.message}`);
    throw error;
  }
}
