import { readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { SetupError } from "../../errors.js";
import { makeFolder } from "../../os/folder.js";
import { replaceFile } from "../../os/replace-file.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../tlb/block-id.js";

const hash = z.base64().transform((text, context) => {
  const bytes = new Uint8Array(Buffer.from(text, "base64"));
  if (bytes.length !== 32) context.addIssue("a hash has 32 bytes");
  return bytes;
});
const hashes = { root_hash: hash, file_hash: hash };
const seqno = z.int().min(0).max(0xffffffff);
const time = z.int().min(0);

const trustRecord = z.object({
  format: z.literal(1),
  network: z.string(),
  zero_state: z.object(hashes),
  start: z.object({ seqno, ...hashes }),
  key_block: z.object({ seqno, ...hashes, gen_utime: time }),
  verified_at: time,
});

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
};

const fileName = "trust.json";

/** `trust.json` of a data directory. Without a directory nothing is read or written. */
export class TrustFile {
  readonly path: string | undefined;

  constructor(directory: string | undefined) {
    this.path = directory && join(directory, fileName);
  }

  /** An invalid file is renamed to `trust.json.bad` and reported to `onBad`. Throws a SetupError if renaming fails. */
  async read(onBad: (problem: string) => void): Promise<TrustRecord | undefined> {
    if (this.path === undefined) return undefined;
    try {
      const text = await readFile(this.path, "utf8").catch(absent);
      return text === undefined ? undefined : fromWire(trustRecord.parse(JSON.parse(text)));
    } catch (error) {
      const problem = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
      await setAside(this.path, problem);
      onBad(problem);
      return undefined;
    }
  }

  async write(record: TrustRecord): Promise<void> {
    if (this.path === undefined) return;
    makeFolder(dirname(this.path));
    await replaceFile(this.path, `${JSON.stringify(toWire(record), null, 1)}\n`);
  }
}

function fromWire(wire: z.output<typeof trustRecord>): TrustRecord {
  return {
    network: wire.network,
    zeroState: idOf({ seqno: 0, ...wire.zero_state }),
    start: idOf(wire.start),
    keyBlock: idOf(wire.key_block),
    genUtime: wire.key_block.gen_utime,
    verifiedAt: wire.verified_at,
  };
}

function idOf({
  seqno,
  ...wire
}: {
  seqno: number;
  root_hash: Uint8Array;
  file_hash: Uint8Array;
}): BlockIdExt {
  const { root_hash: rootHash, file_hash: fileHash } = wire;
  return { workchain: masterchain, shard: wholeShard, seqno, rootHash, fileHash };
}

function toWire({ network, zeroState, start, keyBlock, genUtime, verifiedAt }: TrustRecord) {
  return {
    format: 1,
    network,
    zero_state: hashesOf(zeroState),
    start: { seqno: start.seqno, ...hashesOf(start) },
    key_block: { seqno: keyBlock.seqno, ...hashesOf(keyBlock), gen_utime: genUtime },
    verified_at: verifiedAt,
  };
}

function hashesOf({ rootHash, fileHash }: BlockIdExt) {
  return { root_hash: base64(rootHash), file_hash: base64(fileHash) };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

async function setAside(path: string, problem: string): Promise<void> {
  try {
    await rename(path, `${path}.bad`);
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new SetupError(`${path} is invalid (${problem}) and cannot be renamed (${reason}): remove it`, {
      cause,
    });
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
  return undefined;
}
