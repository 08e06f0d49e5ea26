import type { Cell } from "../../cells/cell.js";
import { CellError } from "../../cells/cell-error.js";
import { Budget, withinBudget } from "./budget.js";
import { type Alternative, firstThatFits } from "./composed.js";
import { parseDeclarations } from "./declaration.js";
import type { BodyFields, BodyName, SignedRequest } from "./declared.js";
import { messageTypes } from "./families/messages.js";
import { signedRequests } from "./families/wallets.js";
import { families } from "./families.js";
import { layouts } from "./layouts.js";
import { Types } from "./types.js";
import type { Fields } from "./value.js";

/** A body by its scheme. Several schemes can have one name: layouts of one message, editions of a contract. */
export type Body = { readonly name: string; readonly opcode: number; readonly fields: Fields };

const messages = new Types(parseDeclarations(messageTypes));
const requests = new Types(parseDeclarations(signedRequests), messages).named("SignedRequest")!;
const { byOpcode, byName } = readSchemes();

/** Schemes in the order they are tried; an opcode has the name of its first one. Layouts have names only. */
function readSchemes() {
  const byOpcode = new Map<number, { name: string; schemes: Alternative<Body>[] }>();
  const byName = new Map<string, Alternative<Body>[]>();
  for (const family of families) {
    for (const [opcode, name, scheme] of schemesIn(family)) {
      const sameOpcode = byOpcode.get(opcode);
      if (sameOpcode) sameOpcode.schemes.push(scheme);
      else byOpcode.set(opcode, { name, schemes: [scheme] });
      addTo(byName, name, scheme);
    }
  }
  for (const family of layouts) for (const [, name, scheme] of schemesIn(family)) addTo(byName, name, scheme);
  return { byOpcode, byName };
}

function* schemesIn(family: string): Iterable<[opcode: number, name: string, scheme: Alternative<Body>]> {
  const declarations = parseDeclarations(family);
  const types = new Types(declarations, messages);
  for (const declaration of declarations) {
    const { name, tag, type } = declaration;
    if (type !== undefined) continue;
    if (tag.length !== 32) throw new TypeError(`${name} has no opcode`);
    const opcode = Number.parseInt(tag, 2);
    const { read, ...byTag } = types.bodyOf(declaration);
    yield [
      opcode,
      name,
      { ...byTag, read: (from, budget) => ({ name, opcode, fields: read(from, budget, {}) }) },
    ];
  }
}

function addTo(byName: Map<string, Alternative<Body>[]>, name: string, scheme: Alternative<Body>): void {
  const sameName = byName.get(name);
  if (sameName) sameName.push(scheme);
  else byName.set(name, [scheme]);
}

/** Name of the first scheme of this opcode, signed or not; `undefined` if there is none. */
export function opcodeName(opcode: number): string | undefined {
  return byOpcode.get(opcode >>> 0)?.name;
}

/**
 * Reads a body by the first scheme of its opcode that fits to the last bit. `undefined` if none fits, or if the body
 * exceeds its budget.
 */
export function readBody(cell: Cell): Body | undefined {
  return withinBudget(() => readBodyWithin(new Budget(cell), cell));
}

/** Like `readBody`, for bodies that are read from cells of another one: throws BodyTooLarge. */
export function readBodyWithin(budget: Budget, cell: Cell): Body | undefined {
  if (cell.exotic || cell.bits < 32) return undefined;
  const known = byOpcode.get(cell.parse().loadUint(32));
  return known && readWhole(known.schemes, cell, budget);
}

/**
 * Fields of a body that is of a scheme with this name, also where `readBody` prefers another scheme of the opcode.
 * `undefined` if none fits to the last bit, or if the body exceeds its budget.
 */
export function bodyOf<N extends BodyName>(name: N, cell: Cell): BodyFields<N> | undefined {
  const body = withinBudget(() => readWhole(byName.get(name)!, cell, new Budget(cell)));
  // The readers and the type are made from the same declarations.
  return body?.fields as BodyFields<N> | undefined;
}

/** Like `bodyOf`, of a body that may go on behind the scheme: what follows is not read. */
export function bodyStart<N extends BodyName>(name: N, cell: Cell): BodyFields<N> | undefined {
  const body = withinBudget(() => readAny(byName.get(name)!, cell, new Budget(cell), false));
  // As above.
  return body?.fields as BodyFields<N> | undefined;
}

/** Reads a request to a wallet that begins with a signature instead of an opcode. */
export function readSignedRequest(cell: Cell): SignedRequest | undefined {
  return withinBudget(() => readSignedRequestWithin(new Budget(cell), cell));
}

/** Like `readSignedRequest`, throws BodyTooLarge. */
export function readSignedRequestWithin(budget: Budget, cell: Cell): SignedRequest | undefined {
  // As above.
  return readWhole(requests, cell, budget) as SignedRequest | undefined;
}

/** The result of the first alternative that fits to the last bit. */
function readWhole<T>(alternatives: readonly Alternative<T>[], cell: Cell, budget: Budget): T | undefined {
  return readAny(alternatives, cell, budget, true);
}

function readAny<T>(
  alternatives: readonly Alternative<T>[],
  cell: Cell,
  budget: Budget,
  isWhole: boolean,
): T | undefined {
  if (cell.exotic) return undefined;
  try {
    return firstThatFits(alternatives, cell.parse(), budget, isWhole);
  } catch (error) {
    if (error instanceof CellError) return undefined;
    throw error;
  }
}
