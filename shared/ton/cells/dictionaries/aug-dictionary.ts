import type { Builder } from "../builder.js";
import { Cell } from "../cell.js";
import { CellError } from "../cell-error.js";
import type { Slice } from "../slice.js";
import type { KeyCodec, ValueCodec } from "./dictionary-codec.js";
import { loadLabel } from "./dictionary-label.js";
import type { NodeShape } from "./dictionary-tree.js";
import { KeyedTree } from "./keyed-tree.js";

/** How the extra of a node is computed from its value or from the extras of its two children. */
export interface Augmentation<V, X> {
  codec: ValueCodec<X>;
  /** Extra of a dictionary without entries. */
  empty: X;
  leaf(value: V): X;
  fork(left: X, right: X): X;
}

/**
 * `HashmapAugE n X Y`, or `HashmapAug n X Y` through the `Direct` methods. Immutable: `set`, `delete` and `update`
 * return a new dictionary and recompute the extras on the changed paths only. Extras that were read are not verified.
 */
export class AugDictionary<K, V, X> extends KeyedTree<K, V> {
  private readonly augmentation: Augmentation<V, X>;
  private knownExtra: X | undefined;

  private constructor(
    keys: KeyCodec<K>,
    shape: NodeShape<V>,
    augmentation: Augmentation<V, X>,
    root: Cell | undefined,
    extra?: X,
  ) {
    super(keys, shape, root);
    this.augmentation = augmentation;
    this.knownExtra = root === undefined ? augmentation.empty : extra;
  }

  static empty<K, V, X>(
    keys: KeyCodec<K>,
    values: ValueCodec<V>,
    augmentation: Augmentation<V, X>,
  ): AugDictionary<K, V, X> {
    return new AugDictionary(keys, augmentedShape(values, augmentation), augmentation, undefined);
  }

  /**
   * Reads a `HashmapAugE` from the slice.
   *
   *     ahme_empty$0 extra:Y = HashmapAugE n X Y;
   *     ahme_root$1 root:^(HashmapAug n X Y) extra:Y = HashmapAugE n X Y;
   */
  static load<K, V, X>(
    slice: Slice,
    keys: KeyCodec<K>,
    values: ValueCodec<V>,
    augmentation: Augmentation<V, X>,
  ): AugDictionary<K, V, X> {
    const root = slice.loadMaybeRef();
    const extra = augmentation.codec.load(slice);
    return new AugDictionary(keys, augmentedShape(values, augmentation), augmentation, root, extra);
  }

  /** Reads a `HashmapAug`: a cell is its root; a slice contains the root node inline and is advanced past it. */
  static loadDirect<K, V, X>(
    source: Slice | Cell,
    keys: KeyCodec<K>,
    values: ValueCodec<V>,
    augmentation: Augmentation<V, X>,
  ): AugDictionary<K, V, X> {
    const empty = AugDictionary.empty(keys, values, augmentation);
    return empty.withRoot(source instanceof Cell ? source : empty.tree.loadInline(source));
  }

  /** Extra of the whole dictionary, e.g. the total balance of all accounts. */
  get extra(): X {
    this.knownExtra ??= loadExtra(this.root!, this.keyCodec.bits, this.augmentation.codec);
    return this.knownExtra;
  }

  /** Stores a `HashmapAugE`. */
  store(builder: Builder): void {
    builder.storeMaybeRef(this.root);
    this.augmentation.codec.store(this.extra, builder);
  }

  /** Stores a `HashmapAug` inline. Throws if the dictionary is empty. */
  storeDirect(builder: Builder): void {
    if (this.root === undefined)
      throw new CellError("dictionary", "a HashmapAug without entries cannot be stored");
    builder.storeSlice(this.root.parse());
  }

  protected override withRoot(root: Cell | undefined): this {
    return new AugDictionary(this.keyCodec, this.shape, this.augmentation, root) as this;
  }
}

/**
 *     ahmn_leaf#_ extra:Y value:X = HashmapAugNode 0 X Y;
 *     ahmn_fork#_ left:^(HashmapAug n X Y) right:^(HashmapAug n X Y) extra:Y = HashmapAugNode (n + 1) X Y;
 */
function augmentedShape<V, X>(values: ValueCodec<V>, augmentation: Augmentation<V, X>): NodeShape<V> {
  const { codec } = augmentation;
  return {
    storeLeaf(value, builder) {
      codec.store(augmentation.leaf(value), builder);
      values.store(value, builder);
    },
    loadLeaf(slice) {
      codec.load(slice);
      return values.load(slice);
    },
    storeFork(left, right, belowBits, builder) {
      builder.storeRef(left).storeRef(right);
      const extra = augmentation.fork(loadExtra(left, belowBits, codec), loadExtra(right, belowBits, codec));
      codec.store(extra, builder);
    },
    skipFork(slice) {
      codec.load(slice.skipRefs(2));
    },
  };
}

/** Reads the extra of a node; `bits` is the number of key bits below it, its label included. */
function loadExtra<X>(node: Cell, bits: number, codec: ValueCodec<X>): X {
  const slice = node.parse();
  const isLeaf = loadLabel(slice, bits).count === bits;
  return codec.load(isLeaf ? slice : slice.skipRefs(2));
}
