import type { Address } from "../../../shared/values/address.js";
import type { Cell } from "../../cells/cell.js";
import type { BodyFields, BodyName } from "../../contracts/bodies/declared.js";
import { bodyStart } from "../../contracts/bodies/read.js";
import { encryptedText, readSnakeText, type Text } from "../../contracts/message-text.js";
import type { Block } from "./block.js";
import type { AddressText } from "./trace.js";

// How families read bodies and payloads, which are hostile: a layout that does not fit cancels the match.

/** Fields of the body of a block by a layout; throws if it is of none with this name. What follows is not read. */
export function fieldsOf<N extends BodyName>(name: N, block: Block): BodyFields<N> {
  return fieldsIn(name, block.body);
}

/** Like `fieldsOf`, of a payload. */
export function fieldsIn<N extends BodyName>(name: N, cell: Cell): BodyFields<N> {
  const fields = bodyStart(name, cell);
  if (fields === undefined) throw new TypeError(`the body is no ${name}`);
  return fields;
}

/** Like `fieldsOf`, undefined instead of a throw. */
export function tryFieldsOf<N extends BodyName>(name: N, block: Block): BodyFields<N> | undefined {
  return bodyStart(name, block.body);
}

export function addressText(address: Address | undefined): AddressText | undefined {
  return address?.toRawUpper();
}

/** The first 32 bits; undefined if there are fewer. */
export function opcodeOf(cell: Cell | undefined): number | undefined {
  return cell === undefined || cell.exotic || cell.bits < 32 ? undefined : cell.parse().loadUint(32);
}

/** `Either Cell ^Cell` as the rest of a body, which contracts also leave out; without bits there is no payload. */
export function payloadIn(rest: Cell): Cell | undefined {
  const payload = anyPayloadIn(rest);
  return payload && payload.bits > 0 ? payload : undefined;
}

/** Like `payloadIn`, also a payload without bits. */
export function anyPayloadIn(rest: Cell): Cell | undefined {
  const from = rest.parse();
  if (from.remainingBits === 0) return undefined;
  return from.loadBit() ? from.loadRef() : from.toCell();
}

/** The text in a payload; undefined if it is something else. */
export function commentIn(payload: Cell | undefined): Text {
  const opcode = opcodeOf(payload);
  const isEncrypted = opcode === encryptedText;
  if (payload === undefined || (opcode !== 0 && !isEncrypted)) return { text: undefined, isEncrypted };
  return { text: readSnakeText(payload.parse().skip(32), isEncrypted), isEncrypted };
}
