import type { AbiCoder } from "../../../shared/ton/abi/coder.js";
import { RequestError } from "../service-calls.js";
import { cellOf, jsonTree, type Tree } from "./tree.js";

/** A cell by a type of the first ABI that has the type and fits. Data behind the value are ignored. */
export function decode(value: Tree, type: string, abis: readonly AbiCoder[]): Tree {
  // Storage and messages have cells as texts.
  const cell = value.cell?.() ?? (typeof value.scalar === "string" ? cellOf(value.scalar) : undefined);
  if (!cell) throw new RequestError("decode reads cells, slices and builders");
  if (abis.length === 0)
    throw new RequestError("no ABI of the contract is known: name its file in abi of the launch arguments");
  let hasType = false;
  for (const coder of abis) {
    const index = coder.typeNamed(type);
    if (index === undefined) continue;
    hasType = true;
    const read = coder.readValue(cell, index);
    if (read !== undefined) return { ...jsonTree(read), type };
  }
  throw new RequestError(hasType ? `the cell does not fit the type ${type}` : `the ABI has no type ${type}`);
}
