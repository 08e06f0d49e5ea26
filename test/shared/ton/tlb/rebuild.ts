import { Cell } from "../../../../shared/ton/cells/cell.js";
import { CellError } from "../../../../shared/ton/cells/cell-error.js";
import { AugDictionary } from "../../../../shared/ton/cells/dictionaries/aug-dictionary.js";
import { Dictionary } from "../../../../shared/ton/cells/dictionaries/dictionary.js";
import { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { type Codec, encode } from "../../../../shared/ton/tlb/codec.js";
import { Address } from "../../../../shared/values/address.js";

type Rebuilt = {
  /** Number of cells that were decoded and encoded again. */
  cells: number;
  /** Number of dictionaries rebuilt from their entries, including the extras of augmented ones. */
  dictionaries: number;
  /** Number of pruned branches met. */
  pruned: number;
  /** Paths where the result is another cell. */
  differences: string[];
};

/** Decodes a whole tree and encodes every cell again from the decoded values. */
export function rebuild<T>(type: Codec<T>, cell: Cell): Rebuilt {
  const report: Rebuilt = { cells: 0, dictionaries: 0, pruned: 0, differences: [] };
  const seen = new Set<string>();

  function visit(value: unknown, path: string): void {
    if (value instanceof CellOf) visitCell(value, path);
    else if (value instanceof Dictionary || value instanceof AugDictionary) visitDictionary(value, path);
    else if (isContainer(value))
      for (const [key, member] of Object.entries(value)) visit(member, `${path}.${key}`);
  }

  function visitCell(reference: CellOf<unknown>, path: string): void {
    const id = `${reference.type.name} ${reference.cell.hashHex()}`;
    if (seen.has(id)) return;
    seen.add(id);
    unlessPruned(() => {
      const value = reference.value;
      visit(value, path);
      report.cells++;
      if (!encode(reference.type, value).equals(reference.cell)) report.differences.push(path);
    });
  }

  function visitDictionary(
    dictionary: Dictionary<unknown, unknown> | AugDictionary<unknown, unknown, unknown>,
    path: string,
  ): void {
    unlessPruned(() => {
      const entries: [unknown, unknown][] = [];
      for (const entry of dictionary.entries()) {
        visit(entry[1], `${path}[]`);
        entries.push(entry);
      }
      const emptied = dictionary.update(entries.map(([key]) => [key, undefined]));
      report.dictionaries++;
      if (emptied.update(entries).root?.hashHex() !== dictionary.root?.hashHex())
        report.differences.push(path);
    });
  }

  function unlessPruned(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!isPruned(error)) throw error;
      report.pruned++;
    }
  }

  visit(CellOf.in(type, cell), type.name);
  return report;
}

/** Whether an error reports a pruned branch. */
export function isPruned(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof CellError && cause.code === "pruned") return true;
  return false;
}

function isContainer(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return !(value instanceof Uint8Array || value instanceof Cell || value instanceof Address);
}
