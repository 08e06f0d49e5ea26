import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { bitAt } from "../../../shared/ton/cells/bits.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { loadLabel } from "../../../shared/ton/cells/dictionaries/dictionary-label.js";
import { formatShard, prefixEnd } from "../../../shared/ton/tlb/block-id.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { SetupError } from "../../errors.js";

const keyBits = 256;
// state_MASTERCHAINSEQNO_WORKCHAIN_SHARD_HASH, and the same for the header and the parts of a state in several files.
const headerName = /^statesplit_(\d{1,10})_(-?\d{1,11})_([0-9a-f]{1,16})_[0-9A-F]{64}$/;
const partName = /^stateaccount_(\d{1,10}_-?\d{1,11}_[0-9a-f]{1,16})_([0-9a-f]{1,16})_[0-9A-F]{64}$/;

/** A file with the accounts of a part of a shard, which is a shard by itself. */
export type StatePart = { path: string; shard: bigint };

/** Whether a file is a part by its name. */
export function isPart(path: string): boolean {
  return partName.test(basename(path));
}

/** The files beside the header of a state with the parts of it, in the order of accounts. Their names are the node's. */
export function partsBeside(headerPath: string): StatePart[] {
  const name = basename(headerPath);
  if (!headerName.test(name))
    throw new SetupError(
      `${headerPath} is the header of a state in several files, which are found by their names: ` +
        "keep the names that the node gave, statesplit_… and stateaccount_…",
    );
  const [, seqno, workchain, shard] = name.split("_");
  const folder = dirname(headerPath);
  return readdirSync(folder)
    .map((file) => ({ file, match: partName.exec(file) }))
    .filter(({ match }) => match?.[1] === `${seqno}_${workchain}_${shard}`)
    .map(({ file, match }) => ({ path: join(folder, file), shard: BigInt(`0x${match![2]}`) }))
    .sort((a, b) => (a.shard < b.shard ? -1 : 1));
}

/**
 * Compares the dictionaries of the parts with the dictionary in the header, which is pruned below them. Throws if a
 * part is missing, is another one, or is not a part of it.
 */
export function verifyParts(accounts: Cell, parts: readonly (StatePart & { root: Cell })[]): void {
  const root = accounts.parse().loadMaybeRef();
  const depths = new Set(parts.map(({ shard }) => prefixBits(shard)));
  if (depths.size > 1) throw new SetupError("the parts of the state are of several sizes");
  const [depth = 0] = depths;
  const left = new Map(parts.map((part) => [part.shard, part]));
  if (left.size < parts.length) throw new SetupError("several files have the same part of the state");
  for (const node of root ? nodesAt(root, depth) : []) {
    const shard = shardOf(node.path, depth);
    const part = left.get(shard);
    if (!part)
      throw new SetupError(`the part ${formatShard(shard)} of the state is missing beside its header`);
    if (!isSameNode(node, part.root)) throw new SetupError(`${part.path} is not a part of the state`);
    left.delete(shard);
  }
  for (const { path } of left.values()) throw new SetupError(`${path} is not a part of the state`);
}

/** A node of a dictionary; `above` are the key bits in front of it, `path` those and its label. Bits are "0" and "1". */
type Node = { cell: Cell; above: string; path: string };

/** The nodes at or below a depth whose parents are above it, in the order of keys. */
function* nodesAt(root: Cell, depth: number): Generator<Node> {
  const waiting = [{ cell: root, above: "" }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { cell, above } = next;
    const slice = cell.parse();
    const path = above + labelBits(slice, keyBits - above.length);
    if (path.length >= depth) {
      yield { cell, above, path };
      continue;
    }
    for (const side of [1, 0]) waiting.push({ cell: slice.preloadRef(side), above: `${path}${side}` });
  }
}

/** Whether a dictionary with its root's extra has the entries below a node: its root differs in its label alone. */
function isSameNode({ cell, above, path }: Node, wrapped: Cell): boolean {
  const root = wrapped.parse().loadMaybeRef();
  if (!root) return false;
  const [own, other] = [cell.parse(), root.parse()];
  labelBits(own, keyBits - above.length);
  return labelBits(other, keyBits) === path && bytesEqual(own.toCell().hash(0), other.toCell().hash(0));
}

function labelBits(slice: ReturnType<Cell["parse"]>, max: number): string {
  const { bytes, at, count } = loadLabel(slice, max);
  return Array.from({ length: count }, (_, i) => (bitAt(bytes, at + i) ? "1" : "0")).join("");
}

function prefixBits(shard: bigint): number {
  return 64 - prefixEnd(shard).toString(2).length;
}

function shardOf(path: string, depth: number): bigint {
  return BigInt(`0b${`${path.slice(0, depth)}1`.padEnd(64, "0")}`);
}
