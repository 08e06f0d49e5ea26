import { addToGroup } from "../../values/groups.js";
import { lazy } from "../../values/lazy.js";
import { valueAt } from "../../values/lookups.js";
import type { Cell } from "../cells/cell.js";
import { ifReadable } from "../tlb/readable.js";
import { families } from "./all-families.js";
import { layouts } from "./all-layouts.js";
import { Budget, withinBudget } from "./budget.js";
import { type Alternative, firstThatFits } from "./composed.js";
import { parseDeclarations } from "./declaration.js";
import type { BodyFields, BodyName, TypedValue, TypeName } from "./declared.js";
import { dedust } from "./families/dedust.js";
import { mintedMessage } from "./families/jettons.js";
import { messageTypes } from "./families/messages.js";
import { multisig } from "./families/multisig.js";
import { tgWallet } from "./families/tg-wallet.js";
import { signedRequests } from "./families/wallets.js";
import { Types } from "./types.js";
import type { Fields } from "./value.js";

/** A body by its scheme. Several schemes can have one name: layouts of one message, editions of a contract. */
type Body = { readonly name: string; readonly opcode: number; readonly fields: Fields };

const messages = new Types(parseDeclarations(messageTypes));
const typed: Record<TypeName, readonly Alternative<Fields>[]> = {
  SignedRequest: constructorsOf(signedRequests, "SignedRequest"),
  Action: constructorsOf(multisig, "Action"),
  MintedMessage: constructorsOf(mintedMessage, "MintedMessage"),
  Asset: constructorsOf(dedust, "Asset"),
  TgWalletSigned: constructorsOf(tgWallet, "TgWalletSigned"),
};
const schemes = lazy(readSchemes);

function constructorsOf(family: string, type: TypeName): readonly Alternative<Fields>[] {
  return new Types(parseDeclarations(family), messages).named(type)!;
}

/** Schemes in the order they are tried; an opcode has the name of its first one. Layouts have names only. */
function readSchemes() {
  const byOpcode = new Map<number, { name: string; schemes: Alternative<Body>[] }>();
  const byName = new Map<string, Alternative<Body>[]>();
  for (const family of families) {
    for (const [opcode, name, scheme] of schemesIn(family)) {
      const sameOpcode = byOpcode.get(opcode);
      if (sameOpcode) sameOpcode.schemes.push(scheme);
      else byOpcode.set(opcode, { name, schemes: [scheme] });
      addToGroup(byName, name, scheme);
    }
  }
  for (const family of layouts)
    for (const [, name, scheme] of schemesIn(family)) addToGroup(byName, name, scheme);
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

/** Name of the first scheme of this opcode, signed or not; `undefined` if there is none. */
export function opcodeName(opcode: number): string | undefined {
  return schemes().byOpcode.get(opcode >>> 0)?.name;
}

/**
 * Reads a body by the first scheme of its opcode that fits. Trailing data of the body are ignored, as at TON Center;
 * cells read by a scheme must fit to the last bit. `undefined` if none fits, or if the body exceeds its budget.
 */
export function readBody(cell: Cell): Body | undefined {
  return withinBudget(() => readBodyWithin(new Budget(cell), cell));
}

/** Like `readBody`, for bodies in cells of another one: throws BodyTooLarge. */
export function readBodyWithin(budget: Budget, cell: Cell): Body | undefined {
  if (cell.exotic || cell.bits < 32) return undefined;
  const known = schemes().byOpcode.get(cell.parse().loadUint(32));
  return known && readAny(known.schemes, cell, budget, false);
}

/**
 * Fields of a body that is of a scheme with this name, also where `readBody` prefers another scheme of the opcode.
 * `undefined` if none fits to the last bit, or if the body exceeds its budget.
 */
export function bodyOf<N extends BodyName>(name: N, cell: Cell): BodyFields<N> | undefined {
  return withinBudget(() => bodyOfWithin(new Budget(cell), name, cell));
}

/** Like `bodyOf`, but throws BodyTooLarge. */
export function bodyOfWithin<N extends BodyName>(
  budget: Budget,
  name: N,
  cell: Cell,
): BodyFields<N> | undefined {
  // The readers and the type are made from the same declarations.
  return readWhole(valueAt(schemes().byName, name), cell, budget)?.fields as BodyFields<N> | undefined;
}

/** Like `bodyOf`, for a body with data after the scheme, which are ignored. */
export function bodyStart<N extends BodyName>(name: N, cell: Cell): BodyFields<N> | undefined {
  return withinBudget(() => bodyStartWithin(new Budget(cell), name, cell));
}

/** Like `bodyStart`, but throws BodyTooLarge. */
export function bodyStartWithin<N extends BodyName>(
  budget: Budget,
  name: N,
  cell: Cell,
): BodyFields<N> | undefined {
  // Safe as in `bodyOfWithin`.
  return readAny(valueAt(schemes().byName, name), cell, budget, false)?.fields as BodyFields<N> | undefined;
}

/** Reads a cell that holds a value of this type and nothing else. `undefined` if it does not, or exceeds its budget. */
export function readTyped<N extends TypeName>(name: N, cell: Cell): TypedValue<N> | undefined {
  return withinBudget(() => readTypedWithin(new Budget(cell), name, cell));
}

/** Like `readTyped`, but throws BodyTooLarge. */
export function readTypedWithin<N extends TypeName>(
  budget: Budget,
  name: N,
  cell: Cell,
): TypedValue<N> | undefined {
  // Safe as in `bodyOfWithin`.
  return readWhole(typed[name], cell, budget) as TypedValue<N> | undefined;
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
  return ifReadable(() => firstThatFits(alternatives, cell.parse(), budget, isWhole));
}
