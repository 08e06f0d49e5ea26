import { bytesToHex } from "../../../shared/values/bytes.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { handledLater } from "../../../shared/values/promises.js";
import { SetupError } from "../../errors.js";
import type { Sql, Transaction } from "../database.js";
import { ownedTables } from "../migrate/owned-objects.js";
import { masterchainHashes } from "../queries/blocks/masterchain-blocks.js";
import { readAllMeta } from "../queries/upkeep/index-meta.js";
import { readAllRanges, readPosition } from "../queries/upkeep/index-ranges.js";
import { readIndexVersion } from "../queries/upkeep/index-version.js";
import {
  type Pages,
  type Relation,
  readColumns,
  readPageState,
  readRelations,
  rowsInPages,
} from "../queries/upkeep/relations.js";
import { index, knownMigrations } from "../sql/schemas.js";
import { joinCopies, packed } from "./copy-data.js";
import { type Manifest, type SnapshotFile, sha256Of } from "./manifest.js";
import type { SnapshotFolder } from "./snapshot-folder.js";

/** Bytes of rows from which on a file ends. */
const fileBytes = 32 << 20;
/** Bytes of rows that one COPY reads, by the mean of its relation. */
const copyBytes = 4 << 20;

/**
 * Tables that are in no file: the manifest has the facts and the ranges of the index, and the rest is of the database
 * that was exported.
 */
const withoutFiles: readonly string[] = [index.ledger, "index_meta", "index_ranges", "index_version"];

/** The tables whose rows are in files, in the order in which they are imported. */
export function tablesOfFiles(): string[] {
  const names = ownedTables().filter((name) => !withoutFiles.includes(name));
  // Triggers of other tables note what it lacks.
  return ["account_kinds", ...names.filter((name) => name !== "account_kinds")];
}

type ExportOptions = {
  folder: SnapshotFolder;
  signal: AbortSignal;
  /** Called with the bytes of all relations, and of those that are exported. */
  onProgress(all: number, done: number): void;
};

/**
 * Writes the index as of one snapshot of the database, while others write it. Files of an earlier export whose pages have not
 * changed since are kept, also those of one that did not end, so that all files are of the same moment.
 */
export async function exportIndex(database: Sql, options: ExportOptions): Promise<Manifest> {
  if (await database.isDivided())
    throw new SetupError("the index is divided among the nodes of a Citus cluster, which cannot be exported");
  return database.transaction((snapshot) => new Export(snapshot, options).run(), {
    snapshot: true,
    signal: options.signal,
  });
}

class Export {
  readonly #snapshot: Transaction;
  readonly #options: ExportOptions;
  #columns: Record<string, string[]> = {};
  readonly #files: SnapshotFile[] = [];
  /** Earlier files, by relation and first page. */
  #earlier = new Map<string, SnapshotFile>();
  /** The file that is packed and written while the rows of the next one are read. */
  #writing: Promise<void> = Promise.resolve();

  constructor(snapshot: Transaction, options: ExportOptions) {
    this.#snapshot = snapshot;
    this.#options = options;
  }

  async run(): Promise<Manifest> {
    const { folder, onProgress } = this.#options;
    const { id } = await readIndexVersion(this.#snapshot);
    const known = await folder.manifest();
    if (known && known.index !== id)
      throw new SetupError("the folder has the snapshot of another index: name a new one");
    const facts = await this.#facts(id);
    const earlier = await folder.files(id);
    this.#earlier = new Map(earlier.map((file) => [placeOf(file.relation, file.pages[0]), file]));
    await folder.begin(id, earlier);
    const tables = tablesOfFiles();
    this.#columns = await readColumns(this.#snapshot, tables);
    const relations = await readRelations(this.#snapshot, tables);
    const all = relations.reduce((sum, { bytes }) => sum + Number(bytes), 0);
    let before = 0;
    for (const relation of relations) {
      const bytes = Number(relation.bytes);
      for (let page = 0; page < relation.pages; ) {
        page = (await this.#keep(relation, page)) ?? (await this.#write(relation, page));
        onProgress(all, before + bytes * Math.min(1, page / relation.pages));
      }
      before += bytes;
      onProgress(all, before);
    }
    await this.#writing;
    const manifest = { ...facts, tables: this.#tables(), files: this.#files };
    await folder.finish(manifest);
    return manifest;
  }

  async #facts(id: string): Promise<Omit<Manifest, "tables" | "files">> {
    const { network, zero_state, ...meta } = await readAllMeta(this.#snapshot);
    const { first, last } = await readPosition(this.#snapshot);
    if (first === null || last === null || network === undefined || zero_state === undefined)
      throw new SetupError("the index has no blocks yet");
    const { number, name } = itemAt(knownMigrations(), -1);
    return {
      format: 1,
      schema: { number, name },
      index: id,
      network,
      zeroState: zero_state,
      first: await this.#block(first),
      last: await this.#block(last),
      ranges: await readAllRanges(this.#snapshot),
      meta,
    };
  }

  async #block(seqno: number): Promise<Manifest["last"]> {
    const hashes = await masterchainHashes(this.#snapshot, seqno);
    if (!hashes) throw new SetupError(`the index lacks its masterchain block ${seqno}`);
    return { seqno, rootHash: bytesToHex(hashes.rootHash), fileHash: bytesToHex(hashes.fileHash) };
  }

  /** Returns the page behind an earlier file that has the same rows; `undefined` if there is none. */
  async #keep({ name, fileNode }: Relation, from: number): Promise<number | undefined> {
    const file = this.#earlier.get(placeOf(name, from));
    if (file?.fileNode !== fileNode) return undefined;
    const to = file.pages[1];
    const { rows, writers } = await readPageState(this.#snapshot, name, { from, to });
    if (rows !== file.rows || writers !== file.writers) return undefined;
    this.#files.push(file);
    return to;
  }

  /** Writes a file of the rows from a page on. Returns the page behind it. */
  async #write(relation: Relation, from: number): Promise<number> {
    const { name, table, slot, fileNode, pages: end, bytes } = relation;
    const step = Math.max(1, Math.floor((copyBytes * end) / Math.max(Number(bytes), 1)));
    const copies: Uint8Array[] = [];
    let [to, size] = [from, 0];
    while (to < end && size < fileBytes) {
      const pages: Pages = { from: to, to: Math.min(to + step, end) };
      const copy = await this.#snapshot.copyOut(rowsInPages(name, this.#columns[table]!, pages));
      copies.push(copy);
      size += copy.length;
      to = pages.to;
      this.#options.signal.throwIfAborted();
    }
    const state = await readPageState(this.#snapshot, name, { from, to });
    // Pages behind the last rows of a snapshot may have rows of later transactions alone.
    if (state.rows > 0) {
      await this.#writing;
      const place = { table, relation: name, slot: slot === null ? null : String(slot), fileNode };
      this.#writing = handledLater(this.#pack({ ...place, pages: [from, to], ...state }, joinCopies(copies)));
    }
    return to;
  }

  async #pack(file: Omit<SnapshotFile, "copyBytes" | "bytes" | "sha256">, rows: Uint8Array): Promise<void> {
    const bytes = await packed(rows);
    const whole = { ...file, copyBytes: rows.length, bytes: bytes.length, sha256: sha256Of(bytes) };
    await this.#options.folder.write(whole, bytes);
    this.#files.push(whole);
  }

  #tables(): Manifest["tables"] {
    const entries = Object.entries(this.#columns).map(([table, columns]) => {
      const own = this.#files.filter((file) => file.table === table);
      const sum = (member: "rows" | "bytes") => own.reduce((total, file) => total + file[member], 0);
      return [table, { columns, rows: sum("rows"), bytes: sum("bytes") }];
    });
    return Object.fromEntries(entries);
  }
}

function placeOf(relation: string, page: number): string {
  return `${relation} ${page}`;
}
