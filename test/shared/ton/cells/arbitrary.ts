import { type BitString, Cell as CoreCell, beginCell as coreBuilder } from "@ton/core";
import fc from "fast-check";

/** A bit string, as text of zeros and ones. */
export const bitText = (max = 1023): fc.Arbitrary<string> =>
  fc.array(fc.boolean(), { maxLength: max, size: "max" }).map((bits) => bits.map(Number).join(""));

/** Trees of ordinary @ton/core cells in which cells can be shared. */
export const coreTree: fc.Arbitrary<CoreCell> = fc
  .array(fc.tuple(bitText(), fc.array(fc.nat(), { maxLength: 4 })), { minLength: 1, maxLength: 12 })
  .map((nodes) => {
    const cells: CoreCell[] = [];
    for (const [bits, picks] of nodes) {
      const refs = cells.length === 0 ? [] : picks.map((pick) => cells[pick % cells.length]!);
      cells.push(new CoreCell({ bits: coreBits(bits), refs }));
    }
    return cells.at(-1)!;
  });

export function coreBits(text: string): BitString {
  const builder = coreBuilder();
  for (const bit of text) builder.storeBit(bit === "1");
  return builder.endCell().bits;
}
