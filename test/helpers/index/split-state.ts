import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { loadLabel } from "../../../shared/ton/cells/dictionaries/dictionary-label.js";
import { createMerkleProof } from "../../../shared/ton/cells/merkle/proof.js";
import { accountPrefix, formatShard, prefixEnd } from "../../../shared/ton/tlb/block-id.js";
import { decode, encode } from "../../../shared/ton/tlb/codec.js";
import { ShardAccounts } from "../../../shared/ton/tlb/shard-account.js";
import { ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";
import { nodeBag } from "../chain/node-bag.js";

/** A state in several files, as a node of 2025 and later writes those of large shards. */
type SplitState = { header: string; parts: Map<string, string> };

/** Writes the files of a state whose parts are shards with prefixes of so many bits. */
export function writeSplitState(folder: string, root: Cell, depth: number, mcSeqno = 77): SplitState {
  const state = decode(ShardStateUnsplit, root);
  const { workchain, shard } = state.shardId;
  const accounts = state.accounts.value;
  const pruned = new Set(cellsBelow(accounts.root!, depth));
  const header = createMerkleProof(root, (cell) => !pruned.has(cell.hashHex()));
  const name = (kind: string, ...more: string[]) =>
    join(folder, [kind, mcSeqno, workchain, formatShard(shard), ...more, "AB".repeat(32)].join("_"));
  const headerPath = name("statesplit");
  writeFileSync(headerPath, nodeBag(header));
  const parts = new Map<string, string>();
  const end = 1n << BigInt(63 - depth);
  for (let part = shard - prefixEnd(shard) + end; part < shard + prefixEnd(shard); part += 2n * end) {
    const own = [...accounts.entries()].filter(
      ([id]) => accountPrefix(id) >= part - end && accountPrefix(id) < part + end,
    );
    if (own.length === 0) continue;
    const path = name("stateaccount", formatShard(part));
    writeFileSync(path, nodeBag(encode(ShardAccounts, ShardAccounts.empty.update(own))));
    parts.set(formatShard(part), path);
  }
  return { header: headerPath, parts };
}

/** Hashes of the cells that a header leaves out: those to which the nodes at a depth refer. */
function cellsBelow(cell: Cell, depth: number, above = 0): string[] {
  const slice = cell.parse();
  const path = above + loadLabel(slice, 256 - above).count;
  if (path >= depth) return cell.refs.map((ref) => ref.hashHex());
  return [0, 1].flatMap((side) => cellsBelow(slice.preloadRef(side), depth, path + 1));
}
