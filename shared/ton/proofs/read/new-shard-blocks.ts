import type { LiteCall } from "../../lite/lite-api.js";
import { type BlockIdExt, formatBlockId } from "../../tlb/block-id.js";
import type { BlockHeader } from "./header.js";

/** The reads of a `ChainReader` that a walk needs. */
type Reads = {
  blockAt(seqno: number, call?: LiteCall): Promise<BlockIdExt>;
  header(id: BlockIdExt, call?: LiteCall): Promise<Pick<BlockHeader, "previous">>;
  shards(block: BlockIdExt, call?: LiteCall): Promise<BlockIdExt[]>;
};

/** Limit on the new shard blocks of a masterchain block; a longer walk is an error. */
const maxShardBlocks = 4096;

/** Walks back from the shard blocks that a masterchain block registers to those of the block before it. */
export async function readNewShardBlocks(
  reader: Reads,
  block: BlockIdExt,
  call?: LiteCall,
): Promise<BlockIdExt[]> {
  const { seqno } = block;
  const [heads, known] = await Promise.all([
    reader.shards(block, call),
    seqno > 1 ? reader.blockAt(seqno - 1, call).then((before) => reader.shards(before, call)) : [],
  ]);
  const seen = new Set(known.map(formatBlockId));
  const found: BlockIdExt[] = [];
  for (let wanted = heads; wanted.length > 0; ) {
    const next = wanted.filter((id) => id.seqno > 0 && isFirst(seen, formatBlockId(id)));
    found.push(...next);
    if (found.length > maxShardBlocks)
      throw new Error(`a masterchain block cannot bring ${found.length} shard blocks`);
    const headers = await Promise.all(next.map((id) => reader.header(id, call)));
    wanted = headers.flatMap(({ previous }) => previous);
  }
  return found.sort(byPlace);
}

/** Whether a key was not seen before; from now on it was. */
function isFirst(seen: Set<string>, key: string): boolean {
  return !seen.has(key) && seen.add(key).has(key);
}

function byPlace(a: BlockIdExt, b: BlockIdExt): number {
  return a.workchain - b.workchain || (a.shard < b.shard ? -1 : a.shard > b.shard ? 1 : a.seqno - b.seqno);
}
