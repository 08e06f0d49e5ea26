import type { BodyFields, BodyName } from "../../../shared/ton/bodies/declared.js";
import { opcodeOf } from "../../../shared/ton/bodies/payload.js";
import { bodyStart } from "../../../shared/ton/bodies/read.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { Address } from "../../../shared/values/address.js";
import { encryptedText, readSnakeText, type Text } from "../../contracts/message-text.js";
import type { Block } from "./block.js";
import type { AddressText } from "./trace.js";

export { anyPayloadIn, opcodeOf, payloadIn } from "../../../shared/ton/bodies/payload.js";

// Reading of bodies and payloads, which are untrusted input: a layout that does not fit cancels the match.

/** Fields of a block's body in a layout; throws if the body has another layout. Trailing data is ignored. */
export function fieldsOf<N extends BodyName>(name: N, block: Block): BodyFields<N> {
  return fieldsIn(name, block.body);
}

/** Like `fieldsOf`, for a payload. */
export function fieldsIn<N extends BodyName>(name: N, cell: Cell | undefined): BodyFields<N> {
  const fields = cell && bodyStart(name, cell);
  if (fields === undefined) throw new TypeError(`the body is no ${name}`);
  return fields;
}

/** Like `fieldsOf`, but returns undefined instead of throwing. */
export function tryFieldsOf<N extends BodyName>(name: N, block: Block): BodyFields<N> | undefined {
  return bodyStart(name, block.body);
}

/** Like `fieldsIn`, but returns undefined instead of throwing, also without a payload. */
export function tryFieldsIn<N extends BodyName>(name: N, cell: Cell | undefined): BodyFields<N> | undefined {
  return cell && bodyStart(name, cell);
}

export function addressText(address: Address | undefined): AddressText | undefined {
  return address?.toRawUpper();
}

/** The text in a payload; undefined if it has another content. */
export function commentIn(payload: Cell | undefined): Text {
  const opcode = opcodeOf(payload);
  const isEncrypted = opcode === encryptedText;
  if (payload === undefined || (opcode !== 0 && !isEncrypted)) return { text: undefined, isEncrypted };
  return { text: readSnakeText(payload.parse().skip(32), isEncrypted), isEncrypted };
}
