import { z } from "zod";
import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc.js";
import { masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { base64ToBytes, bytesToBase64 } from "../../../shared/values/bytes.js";
import type { KeptFiles } from "../../os/kept-files.js";
import type { ForkStart } from "./origin.js";

const name = "start";
const bytes = z.base64().transform((text) => base64ToBytes(text) ?? new Uint8Array(0));
const start = z.object({
  format: z.literal(1),
  identity: z.string(),
  seqno: z.int(),
  rootHash: bytes,
  fileHash: bytes,
  isProven: z.boolean(),
  source: z.string(),
  globalId: z.int(),
  utime: z.int(),
  lt: z.string().transform(BigInt),
  config: bytes,
});

/** The start of a fork, and the network that it is of. */
type KeptStart = { identity: string; start: ForkStart };

/** Undefined if there is none, or if it is damaged. */
export async function readStart(files: KeptFiles): Promise<KeptStart | undefined> {
  const read = await files.read(name);
  if (!read) return undefined;
  const kept = start.safeParse(JSON.parse(Buffer.from(read).toString("utf8")));
  if (!kept.success) return undefined;
  const { identity, seqno, rootHash, fileHash, format: _, config, ...facts } = kept.data;
  const block = { workchain: masterchain, shard: wholeShard, seqno, rootHash, fileHash };
  return { identity, start: { ...facts, block, config: parseBocRoot(config) } };
}

export async function writeStart(files: KeptFiles, { identity, start }: KeptStart): Promise<void> {
  const { block, lt, config, ...facts } = start;
  const { seqno, rootHash, fileHash } = block;
  const text = JSON.stringify({
    ...{ format: 1, identity, seqno, ...facts },
    lt: lt.toString(),
    rootHash: bytesToBase64(rootHash),
    fileHash: bytesToBase64(fileHash),
    config: bytesToBase64(serializeBoc(config)),
  });
  await files.write(name, [Buffer.from(text)]);
}
