import type { CellParts } from "../../../../shared/schema/v2-stack-params.js";
import { parseBocRoot } from "../../../cells/boc.js";
import { defaultLimits, readHeader } from "../../../cells/boc-header.js";
import { beginCell } from "../../../cells/builder.js";
import type { Cell } from "../../../cells/cell.js";
import { CellError } from "../../../cells/cell-error.js";
import { ServiceError } from "../../../errors.js";

/** How many cells are taken at once. All of them will be hashed and written, while other calls have to wait. */
const maxCells = 20_000;

/** `undefined` when the bytes are no bag of one cell, or of one that shows a part of something only. */
export function cellOfBoc(boc: Uint8Array): Cell | undefined {
  return new CellRoom().take(boc);
}

/** Takes bags as long as there is room for the cells of all of them. */
export class CellRoom {
  #left = maxCells;

  take(boc: Uint8Array): Cell | undefined {
    return attempt(() => {
      const cell = parseBocRoot(boc, { cells: this.#left });
      this.#left -= readHeader(boc, defaultLimits).cellCount;
      return cell;
    });
  }
}

/** `undefined` when there can be no such cell. */
export function cellOfParts(parts: CellParts): Cell | undefined {
  return attempt(() => assemble(parts));
}

/** A cell that came as a bag; 400 with the name of the parameter when it is none. */
export function requireBoc(name: string, boc: Uint8Array): Cell {
  const cell = cellOfBoc(boc);
  if (!cell) throw new ServiceError("bad-boc", `INVALID_BAG_OF_CELLS: ${name}`);
  return cell;
}

/** A cell that came as nested objects. */
export function requireObject(
  parts: CellParts | "malformed" | undefined,
  text = "Error while parsing cell object",
): Cell {
  const cell = typeof parts === "object" ? cellOfParts(parts) : undefined;
  if (!cell) throw new ServiceError("bad-boc", text);
  return cell;
}

function attempt(make: () => Cell): Cell | undefined {
  try {
    const cell = make();
    return cell.levelMask === 0 ? cell : undefined;
  } catch (error) {
    if (error instanceof CellError) return undefined;
    throw error;
  }
}

function assemble({ data, bits, refs, special }: CellParts): Cell {
  const builder = beginCell().storeBytes(data.subarray(0, bits >> 3));
  const rest = bits & 7;
  if (rest) builder.storeUint(data[bits >> 3]! >> (8 - rest), rest);
  for (const ref of refs) builder.storeRef(assemble(ref));
  return special ? builder.endExotic() : builder.endCell();
}

/** Code and data of a contract to be deployed; data alone mean nothing, as in tonlib. */
export type GivenInit = { code: Cell; data: Cell } | undefined;

type InitBocs = { init_code: Uint8Array; init_data: Uint8Array };

export function givenInit({ init_code: code, init_data: data }: InitBocs): GivenInit {
  if (code.length === 0) return undefined;
  return { code: requireBoc("init_code", code), data: requireBoc("init_data", data) };
}

type InitObjects = { [Name in keyof InitBocs]?: CellParts | "malformed" | undefined };

export function givenInitObjects({ init_code: code, init_data: data }: InitObjects): GivenInit {
  return code && { code: requireObject(code), data: requireObject(data) };
}
