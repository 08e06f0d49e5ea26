import { Address } from "../../shared/values/address.js";
import { hexToBytes } from "../../shared/values/bytes.js";
import type { PlainCell } from "../values/bag-of-cells.js";

/** The fields that the normalized hash of an external message covers; they do not depend on how it was packed. */
export type ExternalMessage = { readonly destination: Address; readonly body: PlainCell };

/**
 * ```tlb
 * ext_in_msg_info$10 src:MsgAddressExt dest:MsgAddressInt import_fee:Grams = CommonMsgInfo;
 * message$_ {X:Type} info:CommonMsgInfo init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = Message X;
 * ```
 * Returns `undefined` for any other kind of message.
 */
export function readExternalMessage(cell: PlainCell): ExternalMessage | undefined {
  const read = new Reader(cell);
  if (read.bits(2) !== "10") return undefined;
  // addr_none$00, addr_extern$01 len:(## 9) external_address:(bits len)
  if (read.bits(2) === "01") read.bits(read.number(9));
  // addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256
  if (read.bits(3) !== "100") return undefined;
  const workchain = (read.number(8) << 24) >> 24;
  const hex = read.bits(256).replace(/.{4}/g, (four) => Number.parseInt(four, 2).toString(16));
  read.bits(8 * read.number(4));
  if (read.flag()) {
    if (read.flag()) read.ref();
    else skipStateInit(read);
  }
  const body = read.flag() ? read.ref() : read.rest();
  const hash = hexToBytes(hex);
  return hash && body && { destination: new Address(workchain, hash), body };
}

/** split_depth:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell) library:(HashmapE 256 SimpleLib) */
function skipStateInit(read: Reader): void {
  if (read.flag()) read.bits(5);
  if (read.flag()) read.bits(2);
  for (let i = 0; i < 3; i++) if (read.flag()) read.ref();
}

/** The inbound message of a transaction: `^[ in_msg:(Maybe ^(Message Any)) .. ]` is its first reference. */
export function messageOfTransaction(transaction: PlainCell): PlainCell | undefined {
  const [messages] = transaction.refs;
  return messages?.bits.startsWith("1") ? messages.refs[0] : undefined;
}

class Reader {
  #cell: PlainCell;
  #at = 0;
  #ref = 0;

  constructor(cell: PlainCell) {
    this.#cell = cell;
  }

  bits(count: number): string {
    const bits = this.#cell.bits.slice(this.#at, this.#at + count);
    this.#at += count;
    return bits;
  }

  number(count: number): number {
    return Number.parseInt(this.bits(count) || "0", 2);
  }

  flag(): boolean {
    return this.bits(1) === "1";
  }

  ref(): PlainCell | undefined {
    return this.#cell.refs[this.#ref++];
  }

  rest(): PlainCell {
    return { bits: this.#cell.bits.slice(this.#at), refs: this.#cell.refs.slice(this.#ref), special: false };
  }
}

/** Whether two cell trees have the same content, compared without hashing. */
export function sameContent(a: PlainCell, b: PlainCell): boolean {
  const numbers = new Map<string, number>();
  const seen = new Map<PlainCell, number>();
  // Cells are numbered by content from the leaves up, so that shared subtrees are visited once.
  const numberOf = (cell: PlainCell): number => {
    const known = seen.get(cell);
    if (known !== undefined) return known;
    const content = `${cell.special} ${cell.bits} ${cell.refs.map(numberOf)}`;
    const number = numbers.get(content) ?? numbers.size;
    numbers.set(content, number);
    seen.set(cell, number);
    return number;
  };
  return numberOf(a) === numberOf(b);
}
