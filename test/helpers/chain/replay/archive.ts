import type { BlockIdExt } from "../../../../shared/ton/tlb/block-id.js";
import { bytesOfHex } from "../../../../shared/values/bytes.js";

export type ArchiveEntry = {
  /** Masterchain blocks have a signed proof, shard blocks a proof link. */
  kind: "block" | "proof" | "prooflink";
  id: BlockIdExt;
  data: Uint8Array;
};

/** Invalid archive package. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

const fileMagic = 0xae8fdd01;
const entryMagic = 0x1e8b;
const headLength = 8;

/**
 * Reads the entries of a node's archive package; their data are views of `bytes`. All numbers are little-endian. After the
 * file's magic, the entries follow without gaps: magic (2 bytes), length of the name (2), length of the data (4), name,
 * data.
 */
export function readArchive(bytes: Uint8Array): ArchiveEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint32(0, true) !== fileMagic)
    throw new ArchiveError("this is not an archive package");
  const entries: ArchiveEntry[] = [];
  for (let at = 4; at < bytes.length; ) {
    if (at + headLength > bytes.length || view.getUint16(at, true) !== entryMagic)
      throw new ArchiveError(`no archive entry begins at ${at}`);
    const nameEnd = at + headLength + view.getUint16(at + 2, true);
    const dataEnd = nameEnd + view.getUint32(at + 4, true);
    if (dataEnd > bytes.length) throw new ArchiveError(`the archive entry at ${at} is cut off`);
    const name = new TextDecoder().decode(bytes.subarray(at + headLength, nameEnd));
    entries.push({ ...parseName(name), data: bytes.subarray(nameEnd, dataEnd) });
    at = dataEnd;
  }
  return entries;
}

/** `block_(workchain,shard,seqno):ROOTHASH:FILEHASH` */
function parseName(name: string): Pick<ArchiveEntry, "kind" | "id"> {
  const match =
    /^(block|proof|prooflink)_\((-?\d{1,10}),([0-9a-f]{16}),(\d{1,10})\):([0-9A-F]{64}):([0-9A-F]{64})$/.exec(
      name,
    );
  if (match === null) throw new ArchiveError(`an archive entry is called ${name}`);
  const [, kind, workchain, shard, seqno, rootHash = "", fileHash = ""] = match;
  const id = {
    workchain: Number(workchain),
    shard: BigInt(`0x${shard}`),
    seqno: Number(seqno),
    rootHash: bytesOfHex(rootHash),
    fileHash: bytesOfHex(fileHash),
  };
  return { kind: kind as ArchiveEntry["kind"], id };
}
