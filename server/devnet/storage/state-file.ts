import { promisify } from "node:util";
import { gunzipSync, gzip } from "node:zlib";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { applyMerkleUpdate } from "../../../shared/ton/cells/merkle/merkle-update.js";
import { sha256 } from "../../../shared/ton/cells/sha256.js";
import { Block } from "../../../shared/ton/tlb/block.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { TimeSlice } from "../../chain/time-slice.js";
import type { BlockPair, CollatedBlock, ZeroState } from "../collate/block/block-pair.js";
import { DevnetError } from "../devnet-error.js";
import type { Genesis } from "../genesis/genesis.js";
import { FieldReader, FieldWriter } from "./byte-fields.js";
import { decodeRecord, type NamedSnapshot, type StoredBlock } from "./chain-records.js";
import { headerLength, readFrame, readHeader, writeFrame } from "./record-frame.js";
import type { LogRecord } from "./record-log.js";
import { type ChainRoots, stateUpdate } from "./state-store.js";

// A state file: a line with the format and its version, the zero states, and the records of the chain's log, packed.
// Reverted records are not included.

const title = Buffer.from("tonwire devnet state 1\n");
const anyTitle = /^tonwire devnet state (\d{1,9})\n/;

const pack = promisify(gzip);

/** Limit on the records before packing. A devnet with few blocks fits for weeks. */
const maxStateBytes = 256 * 1024 * 1024;

/** A validated chain that can replace another one. */
export type ImportedChain = { pairs: BlockPair[]; snapshots: NamedSnapshot[] };

/** The records of a chain made by the same code, and its last states. */
export type KeptChain = { records: LogRecord[]; states: ChainRoots };

/**
 * Writes a chain's records as a state file: in slices, and packed in another thread, so that calls are answered meanwhile. Throws
 * `DevnetError` if they are too large.
 */
export async function writeStateFile(genesis: Genesis, records: readonly LogRecord[]): Promise<Uint8Array> {
  const size = records.reduce((sum, { payload }) => sum + headerLength + payload.length, 0);
  if (size > maxStateBytes)
    throw new DevnetError("conflict", `the chain has ${size} bytes, and a state file holds ${maxStateBytes}`);
  const slice = new TimeSlice();
  const frames: Uint8Array[] = [];
  for (const record of records) {
    await slice.yieldIfDue();
    frames.push(writeFrame(record));
  }
  const head = new FieldWriter().sizedBytes(Buffer.from(genesis.seed));
  for (const { id } of zeroStatesOf(genesis)) head.bytes(id.rootHash).bytes(id.fileHash);
  return new Uint8Array(Buffer.concat([title, await pack(Buffer.concat([head.finish(), ...frames]))]));
}

/**
 * Reads and validates a state file: the format, every record's checksum, that the blocks continue the zero states and
 * each other, and that each block matches its id and its stated state. Signatures are not checked. Throws
 * `DevnetError`.
 */
export async function readStateFile(file: Uint8Array, genesis: Genesis): Promise<ImportedChain> {
  try {
    return await chainOf(recordsOf(file, genesis), genesis);
  } catch (error) {
    throw error instanceof DevnetError ? error : damaged((error as Error).message);
  }
}

/** The records of a state file, without checks of the blocks. Throws for unreadable records. */
export function* recordsOf(file: Uint8Array, genesis: Genesis): Generator<LogRecord> {
  const content = unpacked(file);
  const reader = new FieldReader(content);
  confirmChain(reader, genesis);
  const frames = content.subarray(reader.offset);
  for (let offset = 0; offset < frames.length; ) {
    const rest = frames.subarray(offset);
    const record = rest.length < headerLength ? undefined : readFrame(rest);
    if (!record) throw damaged(`its record at ${offset} is cut or changed`);
    yield record;
    offset += headerLength + readHeader(rest).length;
  }
}

function unpacked(file: Uint8Array): Uint8Array {
  const [head, version] = anyTitle.exec(Buffer.from(file.subarray(0, 64)).toString("latin1")) ?? [];
  if (head === undefined) throw new DevnetError("invalid", "this is not a state file of a devnet");
  if (version !== "1")
    throw new DevnetError("invalid", `the state file has version ${version}; this service reads version 1`);
  try {
    const { buffer, byteOffset, length } = gunzipSync(file.subarray(head.length), {
      maxOutputLength: maxStateBytes,
    });
    // A Buffer's slices would share memory.
    return new Uint8Array(buffer, byteOffset, length);
  } catch (error) {
    throw damaged((error as Error).message);
  }
}

function confirmChain(reader: FieldReader, genesis: Genesis): void {
  const seed = Buffer.from(reader.sizedBytes()).toString();
  const isSame = zeroStatesOf(genesis).map(
    ({ id }) => bytesEqual(reader.bytes(32), id.rootHash) && bytesEqual(reader.bytes(32), id.fileHash),
  );
  if (isSame.every(Boolean)) return;
  const difference =
    seed === genesis.seed
      ? "other settings (--fork, --devnet-rewards, --devnet-elections or --devnet-validators)"
      : `the seed ${JSON.stringify(seed.slice(0, 100))}`;
  throw new DevnetError("conflict", `the state is that of a devnet with ${difference}`);
}

function zeroStatesOf({ masterchain, basechain }: Genesis): [ZeroState, ZeroState] {
  return [masterchain, basechain];
}

async function chainOf(records: Iterable<LogRecord>, genesis: Genesis): Promise<ImportedChain> {
  const chain: ImportedChain = { pairs: [], snapshots: [] };
  const slice = new TimeSlice();
  let last: Tip = genesis;
  let edited: BlockPair["edited"] = [];
  for (const each of records) {
    const record = decodeRecord(each);
    if (record.type === "edited") edited = record.accounts;
    else if (record.type === "snapshot") chain.snapshots.push(record.snapshot);
    else if (record.type === "pair") {
      const { pair } = record;
      const blocks = {
        basechain: checked(pair.basechain, last.basechain),
        masterchain: checked(pair.masterchain, last.masterchain),
      };
      chain.pairs.push({ ...pair, ...blocks, edited });
      last = blocks;
      edited = [];
    } else throw damaged(`it has a record of the kind ${record.type}`);
    await slice.yieldIfDue();
  }
  if (chain.pairs.length === 0) throw damaged("it has no blocks");
  const names = new Set(chain.snapshots.map(({ name }) => name));
  if (
    names.size < chain.snapshots.length ||
    chain.snapshots.some(({ mcSeqno }) => mcSeqno > chain.pairs.length)
  )
    throw damaged("its snapshots are not of its blocks");
  return chain;
}

type Tip = Record<"masterchain" | "basechain", { id: BlockIdExt; state: CollatedBlock["state"] }>;

/** The block with its cells, if it continues `last` and matches its id. */
function checked(block: StoredBlock, last: Tip["masterchain"]): CollatedBlock {
  const { id, boc } = block;
  const root = parseBocRoot(boc);
  const fileHash = sha256(boc);
  const { info } = decode(Block, root);
  const { seqno, shardId, genUtime, startLt, endLt, prevRef } = info.value;
  const [previous] = prevRef.value;
  const isNamed = bytesEqual(root.hash(), id.rootHash) && bytesEqual(fileHash, id.fileHash);
  const isItself =
    seqno === id.seqno &&
    shardId.workchain === id.workchain &&
    genUtime === block.genUtime &&
    startLt === block.startLt &&
    endLt === block.endLt;
  const continues =
    id.seqno === last.id.seqno + 1 &&
    previous !== undefined &&
    bytesEqual(previous.rootHash, last.id.rootHash) &&
    bytesEqual(previous.fileHash, last.id.fileHash);
  if (!isNamed || !isItself || !continues)
    throw damaged(`its block ${id.seqno} of workchain ${id.workchain} does not continue the chain`);
  return { ...block, root, state: applyMerkleUpdate(stateUpdate(root), last.state) };
}

function damaged(reason: string): DevnetError {
  return new DevnetError("invalid", `the state file is damaged: ${reason}`);
}
