import type { Cell } from "../cells/cell.js";
import { readLoggedValue } from "./logged-values.js";

/** A size in bits and references. */
type SliceSize = { bits: number; refs: number };
/** What an instruction wanted to read from a slice, and what the slice has. */
type SliceDemand = { wanted: SliceSize; left: SliceSize };

const withBits = /^P?LD(?:[IU]|SLICE)Q? (\d{1,4})$/;
const withBytes = /^P?LD[IU]LE(\d)$/;
const withWidth = /^P?LD(?:[IU]|SLICE)XQ?$/;
const withRef = /^P?LDREF(?:RTOS)?Q?$/;
const withRefAt = /^PLDREFIDX (\d)$/;
const withLength = /^LD(?:GRAMS|VARU?INT16)Q?$/;
const lengthBits = 4;

/** `instruction` and the values on the stack before it as the machine writes them; `undefined` for other instructions. */
export function sliceDemand(instruction: string, stack: readonly string[]): SliceDemand | undefined {
  const hasWidth = withWidth.test(instruction);
  const slice = sliceIn(stack.at(hasWidth ? -2 : -1));
  if (!slice) return undefined;
  const wanted = wantedOf(instruction, hasWidth ? stack.at(-1) : undefined, slice);
  return wanted && { wanted, left: { bits: slice.bits, refs: slice.refCount } };
}

function wantedOf(instruction: string, width: string | undefined, slice: Cell): SliceSize | undefined {
  const numberOf = (pattern: RegExp) => {
    const [, number] = pattern.exec(instruction) ?? [];
    return number === undefined ? undefined : Number(number);
  };
  const bits = width === undefined ? numberOf(withBits) : Number(width);
  if (bits !== undefined) return { bits, refs: 0 };
  const bytes = numberOf(withBytes);
  if (bytes !== undefined) return { bits: 8 * bytes, refs: 0 };
  const at = numberOf(withRefAt) ?? (withRef.test(instruction) ? 0 : undefined);
  if (at !== undefined) return { bits: 0, refs: at + 1 };
  if (!withLength.test(instruction)) return undefined;
  return {
    bits: lengthBits + (slice.bits < lengthBits ? 0 : 8 * slice.parse().loadUint(lengthBits)),
    refs: 0,
  };
}

function sliceIn(text: string | undefined): Cell | undefined {
  const value = text === undefined ? undefined : readLoggedValue(text);
  return value?.type === "slice" && !value.cell.exotic ? value.cell : undefined;
}
