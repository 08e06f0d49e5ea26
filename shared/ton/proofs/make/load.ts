import { bytesEqual } from "../../../values/bytes.js";
import type { Cell } from "../../cells/cell.js";
import { LiteError, liteErrorCode } from "../../lite/lite-api.js";
import {
  type BlockIdExt,
  formatBlockId,
  formatBlockIdExt,
  formatShard,
  latestSeqno,
  masterchain,
  sameBlock,
  wholeShard,
} from "../../tlb/block-id.js";
import type { BlockSearch, ServedBlock, ServedChain } from "./served-chain.js";

/** An error with the node's general code. Clients match these texts, so they are the node's. */
export function failure(message: string): LiteError {
  return new LiteError(liteErrorCode.failure, message);
}

/** Whether workchain and shard are the masterchain's. */
export function isMasterchain(id: BlockIdExt): boolean {
  return id.workchain === masterchain && id.shard === wholeShard;
}

/** Rejects ids that no block can have. */
export function assertBlockId(id: BlockIdExt, message = "invalid BlockIdExt"): void {
  const noShard = id.shard === 0n || (id.workchain === masterchain && id.shard !== wholeShard);
  if (noShard || id.seqno === latestSeqno || isZero(id.rootHash) || isZero(id.fileHash))
    throw failure(message);
}

export function assertMasterchain(id: BlockIdExt): void {
  if (!isMasterchain(id)) throw failure("reference block must belong to the masterchain");
  assertBlockId(id, "reference block must belong to the masterchain");
}

function isZero(hash: Uint8Array): boolean {
  return hash.every((byte) => byte === 0);
}

/** Throws a LiteError if the block does not exist; zero states are not blocks. */
export async function loadBlock(chain: ServedChain, id: BlockIdExt): Promise<ServedBlock> {
  assertBlockId(id);
  const block = id.seqno === 0 ? undefined : await chain.block(id);
  if (!block) throw notInDb(chain, id);
  return block;
}

/** Like `loadBlock`; the error contains the whole id. */
export async function loadReferenceBlock(chain: ServedChain, id: BlockIdExt): Promise<ServedBlock> {
  assertBlockId(id, "invalid block id requested");
  return prefixed(`cannot load block ${formatBlockIdExt(id)} : `, () => loadBlock(chain, id));
}

/** The state after a block. Throws a LiteError if block or state are missing. */
export async function loadState(chain: ServedChain, id: BlockIdExt): Promise<Cell> {
  const state = await chain.state(id);
  if (state) return state;
  if (await chain.block(id)) throw new LiteError(liteErrorCode.notReady, "state is not in db");
  throw notInDb(chain, id);
}

export type BlockWithState = ServedBlock & { state: Cell };

export async function loadBlockWithState(chain: ServedChain, id: BlockIdExt): Promise<BlockWithState> {
  const block = await loadReferenceBlock(chain, id);
  const prefix = `cannot load state for ${formatBlockIdExt(id)} : `;
  return { ...block, state: await prefixed(prefix, () => loadState(chain, id)) };
}

/** The masterchain block that a request refers to. */
export async function loadMasterchain(chain: ServedChain, id: BlockIdExt): Promise<BlockWithState> {
  assertMasterchain(id);
  return loadBlockWithState(chain, id);
}

/** Looks up a block. Throws a liteserver's LiteError if there is none. */
export async function findBlock(
  chain: ServedChain,
  workchain: number,
  prefix: bigint,
  by: BlockSearch,
): Promise<BlockIdExt> {
  const found = await chain.find(workchain, prefix, by);
  if (found) return found;
  const { name, value, missing } = describeSearch(by);
  const place = `(${workchain},${formatShard(prefix)}) ${name}=${value}`;
  const suffix = outOfReach(chain, workchain, prefix, "seqno" in by ? by.seqno : undefined);
  throw new LiteError(liteErrorCode.notReady, `cannot find block ${place}: ${missing} not in db${suffix}`);
}

function describeSearch(by: BlockSearch): { name: string; value: number | bigint; missing: string } {
  if ("seqno" in by) return { name: "seqno", value: by.seqno, missing: "seqno" };
  if ("lt" in by) return { name: "lt", value: by.lt, missing: "lt" };
  return { name: "utime", value: by.utime, missing: "ts" };
}

export function notInDb(chain: ServedChain, id: BlockIdExt): LiteError {
  const suffix = outOfReach(chain, id.workchain, id.shard, id.seqno);
  return new LiteError(liteErrorCode.notReady, `block ${formatBlockId(id)} is not in db${suffix}`);
}

/**
 * The suffix that a liteserver adds if the block may still arrive. A search by time fails only for that reason, so it
 * always gets the suffix.
 */
function outOfReach(chain: ServedChain, workchain: number, prefix: bigint, seqno = latestSeqno): string {
  const { last } = chain;
  const newest = chain.top(workchain, prefix);
  if (!newest || seqno <= newest.seqno) return "";
  return workchain === masterchain
    ? ` (last known masterchain block: ${last.seqno})`
    : ` (possibly out of sync: shard_client_seqno=${last.seqno} ls_seqno=${last.seqno})`;
}

async function prefixed<T>(prefix: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof LiteError) throw new LiteError(error.code, `${prefix}${error.message}`);
    throw error;
  }
}

/** Rejects a masterchain id that is not of this chain. `role` names it in the error. */
export async function assertKnownMasterchain(
  chain: ServedChain,
  id: BlockIdExt,
  role: string,
): Promise<void> {
  const { last } = chain;
  if (id.seqno > last.seqno)
    throw failure(
      `client knows block ${formatBlockIdExt(id)} newer than the reference masterchain block ${formatBlockIdExt(last)}`,
    );
  if (!(await isOfChain(chain, id)))
    throw failure(
      `${role} masterchain block ${formatBlockIdExt(id)} is unknown from the perspective of reference block ${formatBlockIdExt(last)}`,
    );
}

async function isOfChain(chain: ServedChain, id: BlockIdExt): Promise<boolean> {
  if (id.seqno === 0)
    return (
      bytesEqual(id.rootHash, chain.zeroState.rootHash) && bytesEqual(id.fileHash, chain.zeroState.fileHash)
    );
  const own = await chain.find(masterchain, wholeShard, { seqno: id.seqno });
  return own !== undefined && sameBlock(own, id);
}
