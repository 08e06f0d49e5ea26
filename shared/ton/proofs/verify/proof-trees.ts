// Trees verified by their hash: from the id of a block to the block, from the block to the state after it. No tree is
// read before its hash is compared.
import { bytesEqual, bytesToHex } from "../../../values/bytes.js";
import { parseBoc, parseBocRoot } from "../../cells/boc/boc.js";
import type { Cell } from "../../cells/cell.js";
import { updateHashes } from "../../cells/merkle/merkle-update.js";
import { openMerkleProof } from "../../cells/merkle/proof.js";
import { Block } from "../../tlb/block.js";
import { type BlockIdExt, formatBlockId, masterchain } from "../../tlb/block-id.js";
import type { BlockInfo } from "../../tlb/block-info.js";
import { decode } from "../../tlb/codec.js";
import type { McStateExtra } from "../../tlb/mc-state-extra.js";
import { ShardStateUnsplit } from "../../tlb/shard-state.js";
import { check, checkHash, ProofError } from "./proof-error.js";

export type Header = { block: Block; info: BlockInfo };

/** The part of a block that a proof contains. */
export function blockTree(id: BlockIdExt, proof: Cell): Cell {
  const root = openMerkleProof(proof);
  checkHash(root.hash(), id.rootHash, `the proof is not of block ${formatBlockId(id)}`, id);
  return root;
}

/** The header of a block, checked against its id. The file hash is not provable by a header. */
export function provenHeader(id: BlockIdExt, proof: Cell): Header {
  const block = decode(Block, blockTree(id, proof));
  const info = block.info.value;
  const { workchain, shard } = info.shardId;
  const own = { workchain, shard, seqno: info.seqno };
  check(
    workchain === id.workchain && shard === id.shard && info.seqno === id.seqno,
    `the header is of ${formatBlockId(own)}, not of ${formatBlockId(id)}`,
  );
  check(info.notMaster === (workchain !== masterchain), "the header has a wrong `not_master`");
  check(info.version === 0, `the block has version ${info.version}`);
  return { block, info };
}

export function provenHeaderBoc(id: BlockIdExt, boc: Uint8Array): Header {
  return provenHeader(id, parseBocRoot(boc));
}

/** The state after a block: one proof contains the header with the hash, the other the state. */
export function stateTree(id: BlockIdExt, header: Cell, state: Cell): Cell {
  const { to } = updateHashes(provenHeader(id, header).block.stateUpdate);
  const root = openMerkleProof(state);
  checkHash(root.hash(), to, `the proof is not of the state of ${formatBlockId(id)}`, id);
  return root;
}

/** As `stateTree`, with both proofs in one BOC. */
export function stateTreeBoc(id: BlockIdExt, boc: Uint8Array): Cell {
  const [header, state, ...more] = parseBoc(boc);
  check(
    header !== undefined && state !== undefined && more.length === 0,
    "the proof of a state must have two roots",
  );
  return stateTree(id, header, state);
}

export function masterchainExtra(stateRoot: Cell): McStateExtra {
  const { custom } = decode(ShardStateUnsplit, stateRoot);
  check(custom !== undefined, "the state is not one of the masterchain");
  return custom.value;
}

/** Throws if any cell below is pruned. */
export function checkShown(cell: Cell | undefined, what: string): void {
  check(cell === undefined || cell.physical.levelMask === 0, `the proof is incomplete: ${what}`);
}

/** Parses a BOC with one root and checks its hash. */
export function cellWithHash(boc: Uint8Array, hash: Uint8Array, what: string): Cell {
  const cell = parseBocRoot(boc);
  if (!bytesEqual(cell.hash(), hash))
    throw new ProofError(`${what} is wrong`, { claimed: bytesToHex(cell.hash()), proven: bytesToHex(hash) });
  return cell;
}
