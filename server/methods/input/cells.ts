import type { CellParts } from "../../../shared/schema/v2/stack-params.js";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { defaultLimits, readHeader } from "../../../shared/ton/cells/boc/boc-header.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { ServiceError } from "../../errors.js";

/** Limit on the cells per request. All of them are hashed and serialized synchronously, which blocks other calls. */
const maxCells = 20_000;

/** The root cell; `undefined` unless the bytes are a BOC with one root of level 0. */
export function cellOfBoc(boc: Uint8Array): Cell | undefined {
  return new CellBudget().parse(boc);
}

/** Parses the BOCs of one request, which share one limit of cells. */
export class CellBudget {
  #left = maxCells;

  parse(boc: Uint8Array): Cell | undefined {
    return attempt(() => {
      const cell = parseBocRoot(boc, { cells: this.#left });
      this.#left -= readHeader(boc, defaultLimits).cellCount;
      return cell;
    });
  }
}

/** `undefined` if the parts form no valid cell. */
export function cellOfParts(parts: CellParts): Cell | undefined {
  return attempt(() => assemble(parts));
}

/** Parses a BOC. Throws `bad-boc` with the name of the parameter. */
export function requireBoc(name: string, boc: Uint8Array, status = 400): Cell {
  const cell = cellOfBoc(boc);
  if (!cell) throw new ServiceError("bad-boc", `INVALID_BAG_OF_CELLS: ${name}`, { status });
  return cell;
}

/** Builds a cell from nested objects. Throws `bad-boc` with the text. */
export function requireObject(
  parts: CellParts | "malformed" | undefined,
  text = "Error while parsing cell object",
): Cell {
  const cell = typeof parts === "object" ? cellOfParts(parts) : undefined;
  if (!cell) throw new ServiceError("bad-boc", text);
  return cell;
}

function attempt(make: () => Cell): Cell | undefined {
  return ifReadable(() => {
    const cell = make();
    return cell.levelMask === 0 ? cell : undefined;
  });
}

function assemble({ data, bits, refs, special }: CellParts): Cell {
  const builder = beginCell().storeBytes(data.subarray(0, bits >> 3));
  const rest = bits & 7;
  if (rest) builder.storeUint(itemAt(data, bits >> 3) >> (8 - rest), rest);
  for (const ref of refs) builder.storeRef(assemble(ref));
  return special ? builder.endExotic() : builder.endCell();
}

/** Code and data of a contract to deploy. As in tonlib, data without code are ignored. */
export type InitInput = { code: Cell; data: Cell } | undefined;

type InitBocs = { init_code: Uint8Array; init_data: Uint8Array };

export function initFromBocs({ init_code: code, init_data: data }: InitBocs): InitInput {
  if (code.length === 0) return undefined;
  return { code: requireBoc("init_code", code), data: requireBoc("init_data", data) };
}

type InitObjects = { [Name in keyof InitBocs]?: CellParts | "malformed" | undefined };

export function initFromObjects({ init_code: code, init_data: data }: InitObjects): InitInput {
  return code && { code: requireObject(code), data: requireObject(data) };
}
