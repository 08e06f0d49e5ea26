import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type BlockIdExt, masterchain } from "../../../../shared/ton/tlb/block-id.js";
import { bytesOfHex } from "../../../../shared/values/bytes.js";
import { type ArchiveEntry, readArchive } from "./archive.js";

const hash = z.hex().transform((text) => bytesOfHex(text));
const file = z.object({
  file: z.string(),
  kind: z.string(),
  network: z.string().optional(),
  workchain: z.int().optional(),
  shard: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  seqno: z.int().optional(),
  root_hash: hash.optional(),
  sha256: hash,
});
const index = z.object({ files: z.array(file) });

type IndexedFile = z.output<typeof file>;

/** A file with one block or state, read on demand. */
export type RecordedFile = { id: BlockIdExt; network: string | undefined; read(): Uint8Array };

/** A folder with recorded parts of a chain, described by its `index.json`. */
export type RecordedFolder = {
  /** Entries of all packages, in the order of the index. */
  archived: ArchiveEntry[];
  /** The network of the packages. */
  network: string | undefined;
  blocks: RecordedFile[];
  /**
   * Whole states. The file hash in an id is the hash of the state's file, so only a zero state's id equals its block
   * id.
   */
  states: RecordedFile[];
  proofs: RecordedFile[];
  /** Answers of liteservers, in TL. */
  answers: Uint8Array[];
};

/** Throws if the index is missing or invalid. */
export function readRecordedFolder(folder: string): RecordedFolder {
  const { files } = index.parse(JSON.parse(readFileSync(join(folder, "index.json"), "utf8")));
  const packages = files.filter(({ kind }) => kind === "archive_pack");
  const ofKind = (kind: string) =>
    files.filter((each) => each.kind === kind).flatMap((each) => recordedFile(folder, each));
  const blocks = ofKind("block");
  const firstOfMasterchain = blocks.find(({ id }) => id.workchain === masterchain);
  return {
    archived: packages.flatMap((each) => readArchive(readFileSync(join(folder, each.file)))),
    network: packages[0]?.network ?? firstOfMasterchain?.network,
    blocks,
    states: ofKind("shard_state"),
    proofs: ofKind("block_proof"),
    answers: files
      .filter(({ kind }) => kind.startsWith("liteServer."))
      .map((each) => new Uint8Array(readFileSync(join(folder, each.file)))),
  };
}

/** Skips files without a block id. */
function recordedFile(folder: string, entry: IndexedFile): RecordedFile[] {
  const { workchain, shard, seqno, root_hash: rootHash, sha256: fileHash, network } = entry;
  if (workchain === undefined || shard === undefined || seqno === undefined || !rootHash) return [];
  const id = { workchain, shard: BigInt(`0x${shard}`), seqno, rootHash, fileHash };
  return [{ id, network, read: () => readFileSync(join(folder, entry.file)) }];
}
