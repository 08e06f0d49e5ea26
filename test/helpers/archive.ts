export type ArchiveEntry = {
  kind: "block" | "proof" | "prooflink";
  workchain: number;
  shard: string;
  seqno: number;
  /** Upper-case hex. */
  rootHash: string;
  fileHash: string;
  data: Uint8Array;
};

const fileMagic = 0xae8fdd01;
const entryMagic = 0x1e8b;

/** Entries of an archive package of a node: per entry magic, length of the name, of the data, name, data. */
export function readArchive(bytes: Uint8Array): ArchiveEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== fileMagic) throw new Error("this is no archive package");
  const entries: ArchiveEntry[] = [];
  for (let at = 4; at < bytes.length; ) {
    if (view.getUint16(at, true) !== entryMagic) throw new Error(`no archive entry begins at ${at}`);
    const nameEnd = at + 8 + view.getUint16(at + 2, true);
    const dataEnd = nameEnd + view.getUint32(at + 4, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 8, nameEnd));
    entries.push({ ...parseName(name), data: bytes.subarray(nameEnd, dataEnd) });
    at = dataEnd;
  }
  return entries;
}

function parseName(name: string): Omit<ArchiveEntry, "data"> {
  const match =
    /^(block|proof|prooflink)_\((-?\d+),([0-9a-f]{16}),(\d+)\):([0-9A-F]{64}):([0-9A-F]{64})$/.exec(name);
  if (match === null) throw new Error(`an archive entry is called ${name}`);
  const [, kind, workchain, shard, seqno, rootHash, fileHash] = match as unknown as string[];
  return {
    kind: kind as ArchiveEntry["kind"],
    workchain: Number(workchain),
    shard: shard!,
    seqno: Number(seqno),
    rootHash: rootHash!,
    fileHash: fileHash!,
  };
}
