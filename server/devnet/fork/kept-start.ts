import { z } from "zod";
import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { base64ToBytes, bytesToBase64 } from "../../../shared/values/bytes.js";
import type { KeptFiles } from "../../os/kept-files.js";
import type { ForkStart } from "./origin.js";

const name = "start";
const bytes = z.base64().transform((text) => base64ToBytes(text) ?? new Uint8Array(0));
const start = z.object({
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
const file = start.extend({ format: z.literal(1), identity: z.string() });

/** The start of a fork, and the network that it is of. */
type KeptStart = { identity: string; start: ForkStart };

/** Undefined if there is none, or if it is damaged. */
export async function readStart(files: KeptFiles): Promise<KeptStart | undefined> {
  const read = await files.read(name);
  if (!read) return undefined;
  const kept = file.safeParse(jsonIn(read));
  if (!kept.success) return undefined;
  const { identity, format: _, ...facts } = kept.data;
  return { identity, start: startOf(facts) };
}

export async function writeStart(files: KeptFiles, { identity, start }: KeptStart): Promise<void> {
  const text = JSON.stringify({ format: 1, identity, ...factsOf(start) });
  await files.write(name, [Buffer.from(text)]);
}

/** A start as bytes for the chain's log. */
export function encodeStart(start: ForkStart): Uint8Array {
  return Buffer.from(JSON.stringify(factsOf(start)));
}

/** Throws if `encodeStart` did not make the bytes. */
export function decodeStart(encoded: Uint8Array): ForkStart {
  return startOf(start.parse(jsonIn(encoded)));
}

function jsonIn(encoded: Uint8Array): unknown {
  return JSON.parse(Buffer.from(encoded).toString("utf8"));
}

function startOf({ seqno, rootHash, fileHash, config, ...facts }: z.output<typeof start>): ForkStart {
  const block = { workchain: masterchain, shard: wholeShard, seqno, rootHash, fileHash };
  return { ...facts, block, config: parseBocRoot(config) };
}

function factsOf({ block, lt, config, ...facts }: ForkStart): z.input<typeof start> {
  const { seqno, rootHash, fileHash } = block;
  return {
    ...{ seqno, ...facts },
    lt: lt.toString(),
    rootHash: bytesToBase64(rootHash),
    fileHash: bytesToBase64(fileHash),
    config: bytesToBase64(serializeBoc(config)),
  };
}
