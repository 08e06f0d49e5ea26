import { createHash } from "node:crypto";
import { z } from "zod";
import { SetupError } from "../../errors.js";
import { metaKeys } from "../queries/upkeep/index-meta.js";

/** The file of a snapshot that names all others. */
export const manifestName = "manifest.json";
/** A manifest of an index of mainnet names some hundred thousand files. */
export const maxManifestBytes = 256 << 20;
/** A file is read into memory as a whole, and so are its rows. */
const maxFileBytes = 1 << 30;

const identifier = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const lt = z.string().regex(/^-?\d{1,19}$/);
const count = z.int().min(0);
const seqno = z.int().min(0).max(0x7fffffff);
const fileBytes = count.max(maxFileBytes);
const block = z.strictObject({ seqno, rootHash: hash, fileHash: hash });

/** Rows of a relation in some of its pages. Its name in the folder follows from these members. */
const file = z.strictObject({
  table: identifier,
  relation: identifier,
  /** Start of the slot of a partition. */
  slot: lt.nullable(),
  pages: z.tuple([count, count]),
  rows: count,
  /** Bytes of the rows in the binary format of COPY, and of the file. */
  copyBytes: fileBytes,
  bytes: fileBytes,
  sha256: hash,
  /** By these a later export sees that the pages have not changed. */
  fileNode: count,
  writers: z.string().regex(/^\d{1,30}$/),
});

const range = z.strictObject({
  from: seqno,
  to: seqno,
  doneTo: z.int().min(-1).max(0x7fffffff),
  joined: z.boolean(),
});

const manifest = z.strictObject({
  format: z.literal(1),
  /** The last migration of the index. */
  schema: z.strictObject({ number: count, name: z.string().max(200) }),
  /** Tells this index from others. */
  index: z.uuid(),
  network: z.string().max(100),
  zeroState: hash,
  /** The first and the last block of the newest blocks without a gap. */
  first: block,
  last: block,
  ranges: z.array(range).min(1).max(500_000),
  meta: z
    .partialRecord(z.enum(metaKeys), z.string().max(10_000))
    .refine(({ lt_grid: grid }) => /^[1-9]\d{0,17}$/.test(grid ?? ""), "lt_grid is no width of slots"),
  tables: z.record(
    identifier,
    z.strictObject({ columns: z.array(identifier).min(1), rows: count, bytes: count }),
  ),
  files: z.array(file).max(10_000_000),
});

/** A snapshot of an index. */
export type Manifest = z.output<typeof manifest>;
export type SnapshotFile = z.output<typeof file>;

/** Throws `SetupError` for a text that is no manifest of this format. `place` is for its message. */
export function parseManifest(text: string, place: string): Manifest {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new SetupError(`${place} is not JSON: ${(error as Error).message}`);
  }
  const result = manifest.safeParse(parsed);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new SetupError(`${place} is no manifest of a snapshot: ${issue!.path.join(".")}: ${issue!.message}`);
}

/** A line of the journal of an unfinished export; `undefined` for one that was not written whole. */
export function parseFile(line: string): SnapshotFile | undefined {
  try {
    return file.safeParse(JSON.parse(line)).data;
  } catch {
    // The export was killed while it wrote the line.
    return undefined;
  }
}

/** Files with other content have other names, so a folder that is exported into again has the files of both manifests. */
export function nameOf({ relation, pages: [from], sha256 }: SnapshotFile): string {
  return `${relation}-${from}-${sha256.slice(0, 16)}.copy.gz`;
}

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
