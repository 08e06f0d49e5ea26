import type { Cell } from "../../cells/cell.js";
import { CellError } from "../../cells/cell-error.js";
import { firstThatFits } from "./composed.js";
import { parseDeclarations } from "./declaration.js";
import { messageTypes } from "./messages.js";
import { type Decoded, Reading, TooMuchToTell } from "./reading.js";
import { families } from "./table.js";
import { Types } from "./types.js";
import type { Reader } from "./values.js";
import { signedRequests } from "./wallets.js";

export type { Decoded } from "./reading.js";

/** Bodies that begin with the same 32 bits; the first one's name is that of the opcode. */
type Opcode = { readonly name: string; readonly bodies: Reader[] };

const messages = new Types(parseDeclarations(messageTypes));
const opcodes = readFamilies();
const requests = new Types(parseDeclarations(signedRequests), messages).named("SignedRequest") ?? [];

function readFamilies(): ReadonlyMap<number, Opcode> {
  const found = new Map<number, Opcode>();
  for (const family of families) {
    const declarations = parseDeclarations(family);
    const types = new Types(declarations, messages);
    for (const each of declarations) {
      if (each.type !== undefined) continue;
      if (each.tag.length !== 32) throw new TypeError(`${each.name} has no opcode`);
      const opcode = Number.parseInt(each.tag, 2);
      const known = found.get(opcode) ?? { name: each.name, bodies: [] };
      known.bodies.push(types.constructorOf(each));
      found.set(opcode, known);
    }
  }
  return found;
}

/** Name of the scheme whose bodies begin with these 32 bits. */
export function opcodeName(opcode: number): string | undefined {
  return opcodes.get(opcode >>> 0)?.name;
}

/** What a message body says, where its scheme is known. */
export function decodeBody(body: Cell): Decoded | undefined {
  return decodeBy(decodeKnown, body);
}

/** What a wallet is asked for by a body that begins with a signature instead of an opcode. */
export function decodeSignedRequest(body: Cell): Decoded | undefined {
  return decodeBy((cell, reading) => decodeAs(requests, cell, reading), body);
}

function decodeBy(decode: typeof decodeKnown, body: Cell): Decoded | undefined {
  try {
    return decode(body, new Reading(body, decodeKnown));
  } catch (error) {
    if (error instanceof TooMuchToTell) return undefined;
    throw error;
  }
}

function decodeKnown(body: Cell, reading: Reading): Decoded | undefined {
  if (body.exotic || body.bits < 32) return undefined;
  const opcode = opcodes.get(body.parse().loadUint(32));
  return opcode && decodeAs(opcode.bodies, body, reading);
}

function decodeAs(readers: readonly Reader[], body: Cell, reading: Reading): Decoded | undefined {
  if (body.exotic) return undefined;
  try {
    return firstThatFits(readers, body.parse(), reading, (left) => left.end()) as Decoded;
  } catch (error) {
    if (error instanceof CellError) return undefined;
    throw error;
  }
}
