import { formatBlockId } from "../../../shared/ton/tlb/block-id.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import type { ArchiveEntry } from "../../helpers/chain/replay/archive.js";

/** An archive package as nodes write it. */
export function writeArchive(entries: readonly ArchiveEntry[]): Uint8Array {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(0xae8fdd01);
  return Buffer.concat([head, ...entries.flatMap(writeEntry)]);
}

function writeEntry({ kind, id, data }: ArchiveEntry): Uint8Array[] {
  const hashes = [id.rootHash, id.fileHash].map((hash) => bytesToHex(hash).toUpperCase()).join(":");
  const name = Buffer.from(`${kind}_${formatBlockId(id)}:${hashes}`);
  const head = Buffer.alloc(8);
  head.writeUInt16LE(0x1e8b);
  head.writeUInt16LE(name.length, 2);
  head.writeUInt32LE(data.length, 4);
  return [head, name, data];
}
