import { promisify } from "node:util";
import { deflate, inflateSync } from "node:zlib";
import SQL from "sql-template-tag";
import type { Queries } from "../../../server/store/database.js";
import type { SizeCounts } from "./sizes.js";

/** Filesystems store a compressed block in whole sectors. */
const sector = 4096;
/** A read decompresses a block: small ones read fast, large ones take less disk. */
const blocks = [16, 128] as const;

/**
 * Bytes per transaction of the files of merged slots, and what a filesystem makes of them that compresses blocks, by the
 * kibibytes of its blocks: by zlib, which makes them about as small as zstd does, and takes several times as long to unpack them.
 */
export async function readCompressed(queries: Queries, { cold, hotFrom }: SizeCounts) {
  await queries.query(SQL`checkpoint`);
  const files = await queries.query<{ path: string; bytes: bigint }>(SQL`
    select pg_relation_filepath(f.oid) as path, pg_relation_size(f.oid) as bytes
    from pg_class c
      cross join lateral (
        select c.oid union all
        select c.reltoastrelid where c.reltoastrelid <> 0 union all
        select indexrelid from pg_index where indrelid in (c.oid, c.reltoastrelid)) f
    where c.relkind = 'r' and c.relispartition and c.relnamespace = current_schema()::regnamespace
      and substring(c.relname from '_(\\d{3,})$')::numeric < ${String(hotFrom)}::numeric
      and pg_relation_size(f.oid) > 0`);
  const compressed = blocks.map((kib) => ({ kib, bytes: 0, blocks: 0, unpackMs: 0 }));
  for (const { path } of files) {
    const [row] = await queries.query<{ content: Uint8Array }>(
      SQL`select pg_read_binary_file(${path}) as content`,
    );
    for (const each of compressed) await addCompressed(row!.content, each);
  }
  const perTransaction = (bytes: number) => bytes / cold;
  return {
    files: perTransaction(files.reduce((sum, { bytes }) => sum + Number(bytes), 0)),
    compressed: compressed.map(({ kib, bytes, blocks, unpackMs }) => ({
      kib,
      bytes: perTransaction(bytes),
      unpackUs: (1000 * unpackMs) / blocks,
    })),
  };
}

const compress = promisify(deflate);

type Compressed = { readonly kib: number; bytes: number; blocks: number; unpackMs: number };

async function addCompressed(content: Uint8Array, sums: Compressed): Promise<void> {
  const block = 1024 * sums.kib;
  for (let at = 0; at < content.length; at += block) {
    const part = content.subarray(at, at + block);
    const packed = await compress(part);
    const start = performance.now();
    inflateSync(packed);
    sums.unpackMs += performance.now() - start;
    sums.blocks++;
    sums.bytes += Math.min(part.length, Math.ceil(packed.length / sector) * sector);
  }
}
