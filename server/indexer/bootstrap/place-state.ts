import { updateHashes } from "../../../shared/ton/cells/merkle/merkle-update.js";
import type { LiteApi, LiteCall } from "../../../shared/ton/lite/lite-api.js";
import type { Block } from "../../../shared/ton/tlb/block.js";
import {
  type BlockId,
  type BlockIdExt,
  formatBlockId,
  masterchain,
  prefixEnd,
  wholeShard,
  zeroStateBlock,
} from "../../../shared/ton/tlb/block-id.js";
import { registeredShards, shardAt } from "../../../shared/ton/tlb/shard-hashes.js";
import type { ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";
import { bytesEqual, bytesToHex } from "../../../shared/values/bytes.js";
import { SetupError } from "../../errors.js";
import { openBlock } from "../decode/decode-block.js";
import { readState } from "../follow/zero-state.js";
import { ifStillThere } from "../work/failures.js";

/** Masterchain blocks that are searched for the last one that the state is of. */
const maxSearched = 64;

const fromHistory: LiteCall = { archival: true };

/** A state by its content and root hash. */
type ClaimedState = { state: ShardStateUnsplit; rootHash: Uint8Array };

/** The last masterchain block whose changes are all in a state. */
export type StatePlace = {
  mcSeqno: number;
  genUtime: number;
  endLt: bigint;
  /** Absent if the block is not known, or is the zero state. */
  block?: BlockIdExt;
};

type Chain = Pick<LiteApi, "getMasterchainInfo" | "lookupBlock" | "getBlock" | "getState">;

/**
 * Proves by the chain that a state is the one after the block that it names. Throws a SetupError if it is not, or if the
 * chain does not have the block.
 */
export async function proveState(lite: Chain, claimed: ClaimedState): Promise<StatePlace> {
  const { state, rootHash } = claimed;
  const { shardId, seqno } = state;
  const id: BlockId = { workchain: shardId.workchain, shard: shardId.shard, seqno };
  if (seqno === 0) return proveZeroState(lite, claimed);
  const opened = await open(lite, id);
  if (!opened)
    throw new SetupError(
      `the chain does not have block ${formatBlockId(id)}, whose state this claims to be; ` +
        "if you know the root hash of the state, name it with --bootstrap-trust",
    );
  confirm(rootHash, updateHashes(opened.block.stateUpdate).to, id);
  return shardId.workchain === masterchain ? placeOf(opened) : findMasterchainBlock(lite, state);
}

/** The place of a state whose root hash the operator has named, by what it says of itself. */
export function trustState({ state, rootHash }: ClaimedState, trusted: Uint8Array): StatePlace {
  const { shardId, seqno, genUtime, genLt, totals } = state;
  confirm(rootHash, trusted, { ...shardId, seqno });
  const { masterRef } = totals.value;
  // A shard block contains all changes up to the masterchain block that it refers to.
  const mcSeqno = shardId.workchain === masterchain ? seqno : (masterRef?.master.seqno ?? 0);
  return { mcSeqno, genUtime, endLt: genLt };
}

function confirm(found: Uint8Array, expected: Uint8Array, id: BlockId): void {
  if (bytesEqual(found, expected)) return;
  throw new SetupError(
    `the state has the root hash ${bytesToHex(found)}, but that of block ${formatBlockId(id)} has ${bytesToHex(expected)}`,
  );
}

async function proveZeroState(lite: Chain, { state, rootHash }: ClaimedState): Promise<StatePlace> {
  const { workchain, shard } = state.shardId;
  const { init } = await lite.getMasterchainInfo();
  const id: BlockId = { workchain, shard, seqno: 0 };
  if (workchain === masterchain) confirm(rootHash, init.rootHash, id);
  else {
    const { custom } = await readState(lite, zeroStateBlock(init));
    const shards = custom ? [...registeredShards(custom.value.shardHashes)] : [];
    const own = shards.find((each) => each.workchain === workchain && each.shard === shard);
    if (!own) throw new SetupError(`the chain does not begin with the shard of ${formatBlockId(id)}`);
    confirm(rootHash, own.descr.rootHash, id);
  }
  return { mcSeqno: 0, genUtime: state.genUtime, endLt: state.genLt };
}

/** The last masterchain block for which the newest block of the shard is not behind the state's. */
async function findMasterchainBlock(lite: Chain, state: ShardStateUnsplit): Promise<StatePlace> {
  const { workchain, shard } = state.shardId;
  const first = state.totals.value.masterRef?.master.seqno ?? 1;
  const { last } = await lite.getMasterchainInfo();
  let found: Opened | undefined;
  for (let seqno = first; seqno <= Math.min(first + maxSearched, last.seqno); seqno++) {
    const opened = await open(lite, { workchain: masterchain, shard: wholeShard, seqno });
    const top = opened && shardAt(shardsIn(opened), workchain, shard - prefixEnd(shard));
    // The shard may not have been split yet.
    const isBehind = top && (top.shard === shard ? top.descr.seqno <= state.seqno : seqno === first);
    if (!isBehind) break;
    found = opened;
  }
  if (!found)
    throw new SetupError(`the chain does not have masterchain block ${first}, which the state refers to`);
  return placeOf(found);
}

type Opened = { id: BlockIdExt; block: Block };

/** Undefined if the chain does not have the block. */
async function open(lite: Chain, id: BlockId): Promise<Opened | undefined> {
  return ifStillThere(
    (async () => {
      const { id: found } = await lite.lookupBlock({ id, bySeqno: true }, fromHistory);
      if (found.shard !== id.shard) return undefined;
      return { id: found, block: openBlock((await lite.getBlock({ id: found }, fromHistory)).data) };
    })(),
  );
}

function placeOf({ id, block }: Opened): StatePlace {
  const { genUtime, endLt } = block.info.value;
  return { mcSeqno: id.seqno, genUtime, endLt, block: id };
}

function shardsIn({ block }: Opened) {
  const { custom } = block.extra.value;
  if (!custom) throw new TypeError("a masterchain block has no masterchain part");
  return custom.value.shardHashes;
}
