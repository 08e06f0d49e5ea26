import { base64ToBytes, bytesToBase64 } from "../../../../values/bytes.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../../tlb/block-id.js";

/** The proven state of a network, kept between runs. */
export type TrustRecord = {
  network: string;
  zeroState: BlockIdExt;
  /** The trusted block that the proof started from. */
  start: BlockIdExt;
  /** The newest key block proven from there, and its unix time. */
  keyBlock: BlockIdExt;
  genUtime: number;
  /** Unix time of the last proof. */
  verifiedAt: number;
  /** The newest block that was shown, if it is kept. */
  head?: BlockIdExt | undefined;
};

/** Keeps a record between starts. */
export interface TrustStore {
  /** Its name in messages. */
  readonly name: string;
  /** Sets an invalid record aside, and reports the problem and where the record is now. */
  read(onBad: (problem: string, outcome: string) => void): Promise<TrustRecord | undefined>;
  write(record: TrustRecord): Promise<void>;
}

type WireObject = Readonly<Record<string, unknown>>;

/** Throws an error that names the first invalid member. */
export function readTrustRecord(text: string): TrustRecord {
  const wire = objectAt({ record: JSON.parse(text) }, "record");
  if (wire["format"] !== 1) throw new Error("the format is not 1");
  const keyBlock = objectAt(wire, "key_block");
  return {
    network: textAt(wire, "network"),
    zeroState: idOf({ ...objectAt(wire, "zero_state"), seqno: 0 }),
    start: idOf(objectAt(wire, "start")),
    keyBlock: idOf(keyBlock),
    genUtime: numberAt(keyBlock, "gen_utime", Number.MAX_SAFE_INTEGER),
    verifiedAt: numberAt(wire, "verified_at", Number.MAX_SAFE_INTEGER),
    ...(wire["head"] !== undefined && { head: idOf(objectAt(wire, "head")) }),
  };
}

export function trustRecordText(record: TrustRecord): string {
  const { network, zeroState, start, keyBlock, genUtime, verifiedAt, head } = record;
  const wire = {
    format: 1,
    network,
    zero_state: hashesOf(zeroState),
    start: wireOf(start),
    key_block: { ...wireOf(keyBlock), gen_utime: genUtime },
    verified_at: verifiedAt,
    ...(head && { head: wireOf(head) }),
  };
  return `${JSON.stringify(wire, null, 1)}\n`;
}

function idOf(wire: WireObject): BlockIdExt {
  return {
    workchain: masterchain,
    shard: wholeShard,
    seqno: numberAt(wire, "seqno", 0xffffffff),
    rootHash: hashAt(wire, "root_hash"),
    fileHash: hashAt(wire, "file_hash"),
  };
}

function objectAt(object: WireObject, name: string): WireObject {
  const value = object[name];
  if (typeof value !== "object" || value === null) throw new Error(`${name} is not an object`);
  return value as WireObject;
}

function textAt(object: WireObject, name: string): string {
  const value = object[name];
  if (typeof value !== "string") throw new Error(`${name} is not a text`);
  return value;
}

function numberAt(object: WireObject, name: string, most: number): number {
  const value = object[name];
  if (!Number.isSafeInteger(value) || (value as number) < 0 || (value as number) > most)
    throw new Error(`${name} is not a whole number from 0 to ${most}`);
  return value as number;
}

function hashAt(object: WireObject, name: string): Uint8Array {
  const bytes = base64ToBytes(textAt(object, name));
  if (bytes === undefined) throw new Error(`${name} is not base64`);
  if (bytes.length !== 32) throw new Error(`${name}: a hash has 32 bytes`);
  return bytes;
}

function wireOf(id: BlockIdExt) {
  return { seqno: id.seqno, ...hashesOf(id) };
}

function hashesOf({ rootHash, fileHash }: BlockIdExt) {
  return { root_hash: bytesToBase64(rootHash), file_hash: bytesToBase64(fileHash) };
}
