// bt_leaf$0 {X:Type} leaf:X = BinTree X;
// bt_fork$1 {X:Type} left:^(BinTree X) right:^(BinTree X) = BinTree X;
import { type CellOf, cellOf } from "./cell-of.js";
import { type Codec, codec } from "./codec.js";

export type BinTree<T> =
  | { kind: "leaf"; value: T }
  | { kind: "fork"; left: CellOf<BinTree<T>>; right: CellOf<BinTree<T>> };

/** `BinTree X` */
export function binTree<T>(leaf: Codec<T>): Codec<BinTree<T>> {
  const tree: Codec<BinTree<T>> = codec(
    `BinTree ${leaf.name}`,
    (slice) =>
      slice.loadBit()
        ? { kind: "fork", left: branch.load(slice), right: branch.load(slice) }
        : { kind: "leaf", value: leaf.load(slice) },
    (value, builder) => {
      builder.storeBit(value.kind === "fork");
      if (value.kind === "leaf") return leaf.store(value.value, builder);
      branch.store(value.left, builder);
      branch.store(value.right, builder);
    },
  );
  const branch = cellOf(tree);
  return tree;
}
