import { compareBytes } from "../../../values/bytes.js";
import { beginCell } from "../builder.js";
import type { Cell } from "../cell.js";
import { CellError } from "../cell-error.js";
import type { Slice } from "../slice.js";
import type { KeyCodec } from "./dictionary-codec.js";
import { type Change, DictionaryTree, type NodeShape } from "./dictionary-tree.js";
import { walk } from "./dictionary-walk.js";

/**
 * Base of plain and augmented dictionaries. Persistent: a change returns a new dictionary that shares the unchanged
 * subtrees. Access to a pruned branch throws `CellError` with code `pruned`; it does not count as absent.
 */
export abstract class KeyedTree<K, V> {
  /** Undefined if there are no entries. */
  readonly root: Cell | undefined;
  protected readonly keyCodec: KeyCodec<K>;
  protected readonly shape: NodeShape<V>;
  protected readonly tree: DictionaryTree<V>;

  protected constructor(keys: KeyCodec<K>, shape: NodeShape<V>, root: Cell | undefined) {
    this.keyCodec = keys;
    this.shape = shape;
    this.root = root;
    this.tree = new DictionaryTree(keys.bits, shape);
  }

  protected abstract withRoot(root: Cell | undefined): this;

  get(key: K): V | undefined {
    const leaf = this.root && this.tree.find(this.root, this.keyBytes(key));
    return leaf && this.shape.loadLeaf(leaf);
  }

  has(key: K): boolean {
    return this.root !== undefined && this.tree.find(this.root, this.keyBytes(key)) !== undefined;
  }

  set(key: K, value: V): this {
    return this.apply([{ key: this.keyBytes(key), value }]);
  }

  delete(key: K): this {
    return this.apply([{ key: this.keyBytes(key), value: undefined }]);
  }

  /** Applies many changes in one descent; `undefined` deletes. The last change of a key wins. */
  update(changes: Iterable<readonly [K, V | undefined]>): this {
    const sorted: Change<V>[] = [];
    for (const [key, value] of changes) sorted.push({ key: this.keyBytes(key), value });
    sorted.sort((a, b) => compareBytes(a.key, b.key));
    return this.apply(
      sorted.filter(
        (change, i) => i + 1 === sorted.length || compareBytes(change.key, sorted[i + 1]!.key) !== 0,
      ),
    );
  }

  /**
   * Iterates entries in ascending order of keys, or descending with `reverse`, starting at `from` (inclusive) if given.
   * A hostile tree can share branches and yield as many entries as there are keys: bound the number you take.
   */
  *entries(from?: K, { reverse = false } = {}): Generator<[K, V]> {
    for (const { key, leaf } of this.leaves(from, reverse))
      yield [this.loadKey(key), this.shape.loadLeaf(leaf)];
  }

  *keys(): Generator<K> {
    for (const { key } of this.leaves()) yield this.loadKey(key);
  }

  *values(): Generator<V> {
    for (const { leaf } of this.leaves()) yield this.shape.loadLeaf(leaf);
  }

  private leaves(from?: K, reverse = false): Iterable<{ key: Uint8Array; leaf: Slice }> {
    if (this.root === undefined) return [];
    const { bits: keyBits, signed = false } = this.keyCodec;
    const start = from === undefined ? undefined : this.keyBytes(from);
    return walk(this.root, { keyBits, signed, reverse, from: start });
  }

  private apply(changes: readonly Change<V>[]): this {
    const root = this.tree.update(this.root, changes);
    return root === this.root ? this : this.withRoot(root);
  }

  private keyBytes(key: K): Uint8Array {
    const builder = beginCell();
    this.keyCodec.store(key, builder);
    if (builder.bits !== this.keyCodec.bits)
      throw new CellError("range", `a key has ${builder.bits} bits instead of ${this.keyCodec.bits}`);
    return builder.endCell().data;
  }

  private loadKey(bytes: Uint8Array): K {
    return this.keyCodec.load(beginCell().copy(bytes, 0, this.keyCodec.bits).endCell().parse());
  }
}
