import { groupBy } from "../../../shared/values/groups.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { SetupError } from "../../errors.js";
import { adaptNotes } from "../cluster/divide.js";
import { widenedTables } from "../cluster/divided-tables.js";
import { stageRows, storeStaged, widenedIn } from "../cluster/imported-rows.js";
import type { CopyTarget, Queries, Sql, Transaction } from "../database.js";
import { sqlStateOf } from "../database-errors.js";
import { isNewIndex } from "../queries/slots/slots.js";
import { deleteMeta, type MetaKey, readMeta, replaceMeta } from "../queries/upkeep/index-meta.js";
import { insertRanges } from "../queries/upkeep/index-ranges.js";
import { raiseIndexVersion } from "../queries/upkeep/index-version.js";
import { type Relation, readColumns, readRelations } from "../queries/upkeep/relations.js";
import { attachSlots } from "../slots/partitions.js";
import { knownMigrations } from "../sql/schemas.js";
import { messages } from "../tables/messages.js";
import { unpacked } from "./copy-data.js";
import { tablesOfFiles } from "./export-index.js";
import {
  type Manifest,
  manifestName,
  maxManifestBytes,
  nameOf,
  parseManifest,
  type SnapshotFile,
  sha256Of,
} from "./manifest.js";
import type { SnapshotSource } from "./snapshot-source.js";

/** A manifest, and the hash of its file, by which an unfinished import knows it. */
export type OpenedSnapshot = { readonly manifest: Manifest; readonly hash: string };

/** Reads the manifest of a snapshot. Throws `SetupError` if this version cannot import it. */
export async function openSnapshot(source: SnapshotSource, signal: AbortSignal): Promise<OpenedSnapshot> {
  const bytes = await source.read(manifestName, maxManifestBytes, signal);
  const place = `${manifestName} of ${source.place}`;
  const manifest = parseManifest(Buffer.from(bytes).toString("utf8"), place);
  confirmSums(manifest, place);
  const { number, name } = manifest.schema;
  const own = knownMigrations().at(-1)!;
  if (number !== own.number || name !== own.name)
    throw new SetupError(
      `${source.place} has the schema ${name}, and this version has ${own.name}: import it with the version that ` +
        "exported it, then update",
    );
  return { manifest, hash: sha256Of(bytes) };
}

/** Throws `SetupError` unless each table has the rows of its files. */
function confirmSums({ tables, files }: Manifest, place: string): void {
  const ofFiles = groupBy(files, ({ table }) => table);
  for (const table of new Set([...Object.keys(tables), ...ofFiles.keys()])) {
    const said = Object.hasOwn(tables, table) ? tables[table]!.rows : 0;
    const sum = sumOf(ofFiles.get(table) ?? [], "rows");
    if (said !== sum)
      throw new SetupError(
        `${place} is false: it says that the table ${table} has ${said} rows, and its files ${sum}`,
      );
  }
}

/** The rows of a file are not as many as its manifest says, which no file can mend. */
export class FalseManifestError extends SetupError {}

type ImportOptions = {
  source: SnapshotSource;
  snapshot: OpenedSnapshot;
  signal: AbortSignal;
  /** Called with the bytes of all files, and of those that are imported. */
  onProgress(all: number, done: number): void;
};

/** Throws `SetupError` unless the index is empty, or has a part of this snapshot. */
export async function beginImport(database: Sql, { hash }: OpenedSnapshot): Promise<void> {
  await database.transaction(async (transaction) => {
    const begun = await stateOf(transaction);
    if (begun?.hash === hash) return;
    if (begun)
      throw new SetupError(
        "the index has a part of another snapshot: import that one to its end, or remove it with tonwire empty-index",
      );
    if (!(await isNewIndex(transaction)))
      throw new SetupError(
        "the index is not empty: import into an empty database, or run tonwire empty-index",
      );
    await note(transaction, { hash, files: 0 });
  });
}

/**
 * Stores the rows of all files, from where an earlier call ended: each group of files in one transaction. Throws
 * `FalseManifestError` if a file has other rows than its manifest says.
 */
export async function importFiles(database: Sql, options: ImportOptions): Promise<void> {
  const { source, snapshot, signal, onProgress } = options;
  const { manifest, hash } = snapshot;
  const all = sumOf(manifest.files, "bytes");
  const begun = await stateOf(database);
  // All of it was stored and became the index, whose commit was not answered.
  if (!begun) return;
  const widened = await widenedIn(database);
  const targets = new Targets(database, { manifest, place: source.place });
  let [stored, done] = [0, 0];
  for (const files of groupsOf(manifest.files, widened)) {
    const end = stored + files.length;
    if (stored >= begun.files) {
      signal.throwIfAborted();
      await storeGroup(database, files, { targets, widened, source, signal, state: { hash, files: end } });
    }
    stored = end;
    done += sumOf(files, "bytes");
    onProgress(all, done);
  }
}

/**
 * Each file alone, but for tables whose rows get a further column: all of a slot together, behind the messages and accounts
 * by which accounts are found, and locators behind what they lead to.
 */
function groupsOf(files: readonly SnapshotFile[], widened: ReadonlySet<string>): SnapshotFile[][] {
  const turnOf = ({ table, slot }: SnapshotFile) =>
    !widened.has(table) ? 0 : table === messages.name ? 1 : slot === null ? 3 : 2;
  const inTurn = files.toSorted((a, b) => turnOf(a) - turnOf(b));
  const groupOf = (file: SnapshotFile) =>
    widened.has(file.table) && file.slot !== null ? `${file.table} ${file.slot}` : file;
  return [...groupBy(inTurn, groupOf).values()];
}

function sumOf(files: readonly SnapshotFile[], member: "rows" | "bytes"): number {
  return files.reduce((sum, file) => sum + file[member], 0);
}

type GroupOptions = {
  targets: Targets;
  widened: ReadonlySet<string>;
  source: SnapshotSource;
  signal: AbortSignal;
  /** That of the import when the group is stored. */
  state: ImportState;
};

async function storeGroup(
  database: Sql,
  files: readonly SnapshotFile[],
  { targets, widened, source, signal, state }: GroupOptions,
): Promise<void> {
  const file = itemAt(files, 0);
  const target = await targets.of(file);
  const { table, columns } = target;
  const isStaged = widened.has(file.table);
  // A group has one file as a rule: the transaction begins once that is read.
  let rows = await rowsOf(file, source, signal);
  await database.transaction(async (transaction) => {
    const into = isStaged ? await stageRows(transaction, file.table, columns) : target;
    for (const [at, each] of files.entries()) {
      if (at > 0) rows = await rowsOf(each, source, signal);
      const stored = await orFalse(
        transaction.write([{ target: into, rows }]),
        `${nameOf(each)} cannot be stored in ${table}`,
      );
      if (stored !== each.rows)
        throw new FalseManifestError(
          `the manifest of ${source.place} is false: ${nameOf(each)} has ${stored} rows, not ${each.rows}`,
        );
    }
    if (isStaged)
      await orFalse(
        storeStaged(transaction, file.table, { columns, slot: file.slot }),
        `rows of ${target.table} cannot be stored`,
      );
    await note(transaction, state);
  });
  targets.stored(file);
}

/** Makes the imported rows the index: others may read and write it from now on. */
export async function finishImport(database: Sql, { manifest }: OpenedSnapshot): Promise<void> {
  await database.transaction(async (transaction) => {
    if (!(await stateOf(transaction))) return;
    await insertRanges(transaction, manifest.ranges);
    for (const [key, value] of Object.entries(manifest.meta))
      await replaceMeta(transaction, key as MetaKey, value);
    if (await transaction.isDivided()) await adaptNotes(transaction);
    await deleteMeta(transaction, "import");
    await raiseIndexVersion(transaction);
  });
}

type ImportState = { hash: string; files: number };

async function stateOf(queries: Queries): Promise<ImportState | undefined> {
  const [row] = await readMeta(queries, ["import"]);
  return row && (JSON.parse(row.value) as ImportState);
}

function note(transaction: Transaction, state: ImportState): Promise<void> {
  return replaceMeta(transaction, "import", JSON.stringify(state));
}

/** The content of a file, if it is what the manifest says. */
async function rowsOf(file: SnapshotFile, source: SnapshotSource, signal: AbortSignal): Promise<Uint8Array> {
  const name = nameOf(file);
  const bytes = await source.read(name, file.bytes, signal);
  if (bytes.length !== file.bytes || sha256Of(bytes) !== file.sha256)
    throw new SetupError(
      `${name} of ${source.place} is not the file of the manifest: its hash is another one`,
    );
  try {
    return await unpacked(bytes, file.copyBytes);
  } catch (error) {
    throw new SetupError(`${name} of ${source.place} cannot be unpacked: ${(error as Error).message}`);
  }
}

/** Rejects with a `SetupError` that begins with this text if the rows are what fails. */
async function orFalse<T>(storing: Promise<T>, text: string): Promise<T> {
  try {
    return await storing;
  } catch (error) {
    if (!isOfData(error)) throw error;
    throw new SetupError(`${text}: ${(error as Error).message}`);
  }
}

/** By the class of the SQLSTATE: values, constraints, and definitions. */
function isOfData(error: unknown): boolean {
  return /^(22|23|42)/.test(sqlStateOf(error) ?? "");
}

type TargetOptions = {
  manifest: Manifest;
  /** The folder or URL of the snapshot. Error messages name it. */
  place: string;
};

/** The relations of this database that the files are for. All names are those of its own catalogue. */
class Targets {
  readonly #database: Sql;
  readonly #manifest: Manifest;
  readonly #place: string;
  #columns: Record<string, string[]> | undefined;
  #relations: readonly Relation[] = [];

  constructor(database: Sql, { manifest, place }: TargetOptions) {
    this.#database = database;
    this.#manifest = manifest;
    this.#place = place;
  }

  async of(file: SnapshotFile): Promise<CopyTarget> {
    const { table, slot, relation } = file;
    this.#columns ??= await this.#readColumns();
    const own = this.#columns[table];
    const given = this.#manifest.tables[table]?.columns;
    if (!own || !given || !isSame(own, given))
      throw new SetupError(`${this.#place} has a table ${table} that is not one of this version`);
    const find = () =>
      this.#relations.find(
        (each) =>
          each.table === table &&
          (slot === null
            ? // Nodes have shards in place of parts.
              each.slot === null && (each.name === relation || each.name === table)
            : each.slot === BigInt(slot)),
      );
    let found = find();
    if (!found) {
      // Slots are known once their own table is stored.
      await orFalse(attachSlots(this.#database), `${this.#place} has slots that cannot be made`);
      this.#relations = await readRelations(this.#database, tablesOfFiles());
      found = find();
    }
    if (!found)
      throw new SetupError(
        `${this.#place} has a part ${relation} of ${table} that this version does not have`,
      );
    return { table: found.name, columns: given };
  }

  /** The columns as one server has them. */
  async #readColumns(): Promise<Record<string, string[]>> {
    const columns = await readColumns(this.#database, tablesOfFiles());
    for (const { name, column } of widenedTables)
      columns[name] = columns[name]!.filter((each) => each !== column);
    return columns;
  }

  /** Later files may be for new slots. */
  stored({ table }: SnapshotFile): void {
    if (table === "slots") this.#relations = [];
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}
