import type { Cell } from "../cells/cell.js";
import { AbiError } from "./abi-error.js";
import {
  type ContractAbi,
  type MessageList,
  messageLists,
  type Prefix,
  type TypeIndex,
  type UnionVariant,
} from "./model.js";
import { PrefixIndex } from "./prefix-index.js";
import type { Types } from "./types.js";

/** Messages of an ABI, variants of unions counted: a short text can name one large union again and again. */
const maxMessages = 16_384;
/** Messages that are tried for one body: contracts have one for each prefix. */
const maxCandidates = 8;
const opcodeBits = 32;

/** A message of a contract, or one variant of a union of messages. */
export type Message = {
  /** A variant has that of its label. */
  readonly name: string;
  readonly body: TypeIndex;
  /** The body's own type, or the variant's. */
  readonly type: TypeIndex;
  readonly isVariant: boolean;
  /** Undefined if its bodies begin with no opcode. */
  readonly prefix: Prefix | undefined;
};

/** The messages of an ABI, unions divided. */
export class Messages {
  readonly count: number;
  readonly #abi: ContractAbi;
  readonly #types: Types;
  readonly #lists = new Map<MessageList, readonly Message[]>();
  readonly #prefixes = new Map<MessageList, PrefixIndex<Message>>();

  /** Throws an AbiError if there are too many. */
  constructor(abi: ContractAbi, types: Types) {
    this.#abi = abi;
    this.#types = types;
    this.count = this.#counted();
  }

  /** Before any of them is made. */
  #counted(): number {
    let count = 0;
    for (const list of messageLists)
      for (const body of this.#abi.messages[list]) {
        const { type } = this.#types.behindAliases(body);
        count += type.kind === "union" ? type.variants.length : 1;
        if (count > maxMessages)
          throw new AbiError(`an ABI has at most ${maxMessages} messages, each variant of a union counted`);
      }
    return count;
  }

  of(list: MessageList): readonly Message[] {
    const known = this.#lists.get(list);
    if (known) return known;
    const messages = this.#abi.messages[list].flatMap((body) => this.#messagesOf(body));
    this.#lists.set(list, messages);
    return messages;
  }

  /** Messages whose prefix the body has; one without a prefix only if there is no other choice. */
  candidates(cell: Cell, list: MessageList): readonly Message[] {
    return this.#byPrefix(list).fitting(cell.parse());
  }

  /** Opcodes of 32 bits. No message is made for them: of most files only these are asked for. */
  opcodes(): number[] {
    const opcodes = new Set<number>();
    for (const list of messageLists)
      for (const body of this.#abi.messages[list]) {
        const { type } = this.#types.behindAliases(body);
        for (const { prefix } of type.kind === "union"
          ? type.variants
          : [{ prefix: this.#types.prefixOf(body) }])
          if (prefix?.len === opcodeBits) opcodes.add(Number(prefix.num));
      }
    return [...opcodes];
  }

  /** The first message of an opcode of 32 bits. */
  ofOpcode(opcode: number, lists: readonly MessageList[]): Message | undefined {
    const prefix = { num: BigInt(opcode >>> 0), len: opcodeBits };
    for (const list of lists) {
      const [found] = this.#byPrefix(list).of(prefix);
      if (found) return found;
    }
    return undefined;
  }

  #byPrefix(list: MessageList): PrefixIndex<Message> {
    const known = this.#prefixes.get(list);
    if (known) return known;
    const prefixes = new PrefixIndex(this.of(list), ({ prefix }) => prefix, maxCandidates);
    this.#prefixes.set(list, prefixes);
    return prefixes;
  }

  #messagesOf(body: TypeIndex): Message[] {
    const { type } = this.#types.behindAliases(body);
    if (type.kind === "union")
      return type.variants.map((variant, at) => new VariantMessage(this.#types, body, variant, at));
    return [new WholeMessage(this.#types, body)];
  }
}

// Names are made when they are used: each takes as long as its type is large.

class WholeMessage implements Message {
  readonly body: TypeIndex;
  readonly prefix: Prefix | undefined;
  readonly isVariant = false;
  readonly #types: Types;

  constructor(types: Types, body: TypeIndex) {
    this.#types = types;
    this.body = body;
    this.prefix = types.prefixOf(body);
  }

  get type(): TypeIndex {
    return this.body;
  }

  get name(): string {
    return this.#types.names.short(this.body);
  }
}

class VariantMessage implements Message {
  readonly body: TypeIndex;
  readonly type: TypeIndex;
  readonly prefix: Prefix;
  readonly isVariant = true;
  readonly #types: Types;
  readonly #at: number;

  constructor(types: Types, body: TypeIndex, { type, prefix }: UnionVariant, at: number) {
    this.#types = types;
    this.body = body;
    this.type = type;
    this.prefix = prefix;
    this.#at = at;
  }

  get name(): string {
    return this.#types.variants(this.body)![this.#at]!.label;
  }
}
