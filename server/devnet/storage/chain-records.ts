import { masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { Address } from "../../../shared/values/address.js";
import type {
  BlockPair,
  BlockSignatures,
  CollatedBlock,
  FinishedMessage,
} from "../collate/block/block-pair.js";
import type { ClockOffset } from "../moment/clock.js";
import { FieldReader, FieldWriter } from "./byte-fields.js";
import type { LogRecord } from "./record-log.js";

/** A block as stored in the log. Cells are parsed from `boc` on demand. */
export type StoredBlock = Omit<CollatedBlock, "root" | "state">;

/** A step as stored in the log. Its edited accounts are a separate record before it. */
export type StoredPair = Omit<BlockPair, "basechain" | "masterchain" | "edited"> & {
  basechain: StoredBlock;
  masterchain: StoredBlock;
};

export type ChainRecord =
  | { type: "pair"; pair: StoredPair }
  | { type: "edited"; mcSeqno: number; accounts: Address[] }
  | { type: "revert"; mcSeqno: number }
  /** The chain is replaced by the next records. Without all of them, it is not. */
  | { type: "replaced"; records: number }
  /** The start of a fork that began anew, as `encodeStart` writes it. */
  | { type: "fork"; start: Uint8Array }
  | { type: "message"; message: Uint8Array }
  /** A message whose signatures are not checked. */
  | { type: "unsigned"; message: Uint8Array }
  /** A message that was taken out of the mempool, by the SHA-256 of its bytes. */
  | { type: "dropped"; hash: Uint8Array }
  | { type: "snapshot"; snapshot: NamedSnapshot }
  | { type: "forgotten"; name: string };

/** A snapshot that outlives the process. */
export type NamedSnapshot = { name: string; mcSeqno: number; offset: ClockOffset };

/** Record kinds in the file. Never change the meaning of a number. */
const kinds = {
  pair: 1,
  edited: 2,
  revert: 3,
  message: 4,
  snapshot: 5,
  forgotten: 6,
  unsigned: 7,
  dropped: 8,
  replaced: 9,
  fork: 10,
} as const;

/** Encodes a record for the log. */
export function encodeRecord(record: ChainRecord): LogRecord {
  return { kind: kinds[record.type], payload: encodePayload(record) };
}

function encodePayload(record: ChainRecord): Uint8Array {
  switch (record.type) {
    case "pair":
      return encodePair(record.pair);
    case "edited":
      return new FieldWriter().uint(record.mcSeqno, 4).bytes(encodeAccounts(record.accounts)).finish();
    case "revert":
      return new FieldWriter().uint(record.mcSeqno, 4).finish();
    case "replaced":
      return new FieldWriter().uint(record.records, 4).finish();
    case "fork":
      return record.start;
    case "message":
    case "unsigned":
      return record.message;
    case "dropped":
      return record.hash;
    case "snapshot":
      return encodeSnapshot(record.snapshot);
    case "forgotten":
      return Buffer.from(record.name);
  }
}

/** Decodes a record. Byte arrays are views of the payload, except ids and addresses. Throws for invalid records. */
export function decodeRecord({ kind, payload }: LogRecord): ChainRecord {
  const reader = new FieldReader(payload);
  switch (kind) {
    case kinds.pair:
      return { type: "pair", pair: decodePair(reader) };
    case kinds.edited:
      return { type: "edited", mcSeqno: reader.uint(4), accounts: reader.list(() => decodeAccount(reader)) };
    case kinds.revert:
      return { type: "revert", mcSeqno: reader.uint(4) };
    case kinds.replaced:
      return { type: "replaced", records: reader.uint(4) };
    case kinds.fork:
      return { type: "fork", start: payload };
    case kinds.message:
      return { type: "message", message: payload };
    case kinds.unsigned:
      return { type: "unsigned", message: payload };
    case kinds.dropped:
      return { type: "dropped", hash: payload };
    case kinds.snapshot:
      return { type: "snapshot", snapshot: decodeSnapshot(reader) };
    case kinds.forgotten:
      return { type: "forgotten", name: Buffer.from(payload).toString() };
    default:
      throw new Error(`the chain log has a record of unknown kind ${kind}`);
  }
}

function encodePair({ basechain, masterchain, keyBlock, signatures, finished }: StoredPair): Uint8Array {
  const writer = new FieldWriter();
  writeBlock(writer, basechain);
  writeBlock(writer, masterchain);
  writer.uint(keyBlock ? 1 : 0, 1);
  writer.uint(signatures.validatorListHashShort, 4).uint(signatures.catchainSeqno, 4);
  writer.list(signatures.signatures, ({ nodeIdShort, signature }) =>
    writer.bytes(nodeIdShort).bytes(signature),
  );
  writer.list(finished, ({ hash, included }) => writer.bytes(hash).uint(included ? 1 : 0, 1));
  return writer.finish();
}

function decodePair(reader: FieldReader): StoredPair {
  const pair = {
    basechain: readBlock(reader, 0),
    masterchain: readBlock(reader, masterchain),
    keyBlock: reader.uint(1) === 1,
    signatures: readSignatures(reader),
    finished: reader.list<FinishedMessage>(() => ({
      hash: reader.bytes(32),
      included: reader.uint(1) === 1,
    })),
  };
  reader.end();
  return pair;
}

function readSignatures(reader: FieldReader): BlockSignatures {
  return {
    validatorListHashShort: reader.uint(4),
    catchainSeqno: reader.uint(4),
    signatures: reader.list(() => ({ nodeIdShort: reader.bytes(32), signature: reader.bytes(64) })),
  };
}

function encodeSnapshot({ name, mcSeqno, offset: { shift, requested } }: NamedSnapshot): Uint8Array {
  const writer = new FieldWriter();
  writer.uint(mcSeqno, 4).uint(BigInt.asUintN(64, BigInt(shift)), 8);
  writer.list(requested === undefined ? [] : [requested], (time) => writer.uint(time, 4));
  return writer.sizedBytes(Buffer.from(name)).finish();
}

function decodeSnapshot(reader: FieldReader): NamedSnapshot {
  const mcSeqno = reader.uint(4);
  const shift = Number(BigInt.asIntN(64, reader.biguint(8)));
  const [requested] = reader.list(() => reader.uint(4));
  const name = Buffer.from(reader.sizedBytes()).toString();
  reader.end();
  return { name, mcSeqno, offset: { shift, requested } };
}

/** Workchain and shard are implied: there is one shard in each workchain. */
function writeBlock(writer: FieldWriter, block: StoredBlock): void {
  const { id, boc, genUtime, startLt, endLt, transactionCount } = block;
  writer.uint(id.seqno, 4).bytes(id.rootHash).bytes(id.fileHash);
  writer.uint(genUtime, 4).uint(startLt, 8).uint(endLt, 8).uint(transactionCount, 4);
  writer.sizedBytes(boc);
}

function readBlock(reader: FieldReader, workchain: number): StoredBlock {
  return {
    id: {
      workchain,
      shard: wholeShard,
      seqno: reader.uint(4),
      // Copied, so that a cached id does not retain the whole record.
      rootHash: reader.bytes(32).slice(),
      fileHash: reader.bytes(32).slice(),
    },
    genUtime: reader.uint(4),
    startLt: reader.biguint(8),
    endLt: reader.biguint(8),
    transactionCount: reader.uint(4),
    boc: reader.sizedBytes(),
  };
}

function encodeAccounts(accounts: readonly Address[]): Uint8Array {
  const writer = new FieldWriter();
  return writer
    .list(accounts, ({ workchain, hash }) => writer.uint(workchain & 0xff, 1).bytes(hash))
    .finish();
}

function decodeAccount(reader: FieldReader): Address {
  const workchain = (reader.uint(1) << 24) >> 24;
  return new Address(workchain, reader.bytes(32).slice());
}
