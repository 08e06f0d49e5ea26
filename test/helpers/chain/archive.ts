import { formatShard } from "../../../shared/ton/tlb/block-id.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { readArchive as readEntries } from "./replay/archive.js";

/** Entries of an archive package of a node, named as the index names them; hashes in upper-case hex. */
export function readArchive(bytes: Uint8Array) {
  return readEntries(bytes).map(({ kind, id, data }) => ({
    kind,
    workchain: id.workchain,
    shard: formatShard(id.shard),
    seqno: id.seqno,
    rootHash: bytesToHex(id.rootHash).toUpperCase(),
    fileHash: bytesToHex(id.fileHash).toUpperCase(),
    data,
  }));
}
