import type { ActionType, ColumnsOf } from "../../store/tables/action-details.js";
import { BlockKind } from "./block-kind.js";

/** A kind whose block data are exactly its row columns. */
export function rowKind<T extends ActionType>(
  type: T,
  options: { readonly name?: string; readonly isLeaf?: boolean } = {},
): BlockKind<T, ColumnsOf<T>> {
  const { name = type, isLeaf = false } = options;
  return new BlockKind<T, ColumnsOf<T>>(name, { type, isLeaf, row: (columns) => columns });
}
