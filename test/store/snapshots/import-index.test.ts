import { expect, test } from "vitest";
import type { Sql } from "../../../server/store/database.js";
import { packed } from "../../../server/store/snapshots/copy-data.js";
import {
  beginImport,
  FalseManifestError,
  importFiles,
  openSnapshot,
} from "../../../server/store/snapshots/import-index.js";
import {
  type Manifest,
  manifestName,
  nameOf,
  type SnapshotFile,
  sha256Of,
} from "../../../server/store/snapshots/manifest.js";
import { knownMigrations } from "../../../server/store/sql/schemas.js";
import { describeDatabase } from "../../helpers/store/describe-databases.js";

const { signal } = new AbortController();
const hash = "ab".repeat(32);
const block = { seqno: 1, rootHash: hash, fileHash: hash };
const table = "opcode_slots";

/** The file of some rows, as it is exported. */
async function exported(database: Sql, opcodes: readonly number[]) {
  const values = opcodes.map((opcode) => `(${opcode}, 0)`).join();
  const rows = await database.transaction(async (transaction) => {
    await transaction.script(`insert into ${table} values ${values}`);
    const copy = await transaction.copyOut(table);
    await transaction.script(`delete from ${table}`);
    return copy;
  });
  const bytes = await packed(rows);
  const file: SnapshotFile = {
    ...{ table, relation: table, slot: null, pages: [opcodes[0]!, opcodes[0]! + 1] },
    ...{ rows: opcodes.length, copyBytes: rows.length, bytes: bytes.length, sha256: sha256Of(bytes) },
    ...{ fileNode: 1, writers: "1" },
  };
  return { file, bytes };
}

type Exported = Awaited<ReturnType<typeof exported>>;

/** A snapshot of these files, by a manifest with this many rows of the table. */
function snapshotOf(files: readonly Exported[], rows: number) {
  const { number, name } = knownMigrations().at(-1)!;
  const manifest: Manifest = {
    ...{ format: 1, schema: { number, name }, index: "00000000-0000-4000-8000-000000000000" },
    ...{ network: "devnet", zeroState: hash, first: block, last: block },
    ...{ ranges: [{ from: 1, to: 1, doneTo: 1, joined: true }], meta: { lt_grid: "1000000" } },
    tables: { [table]: { columns: ["opcode", "from_lt"], rows, bytes: 0 } },
    files: files.map(({ file }) => file),
  };
  const contents = new Map([
    [manifestName, Buffer.from(JSON.stringify(manifest)) as Uint8Array],
    ...files.map(({ file, bytes }) => [nameOf(file), bytes] as const),
  ]);
  return { place: "/snapshot", read: async (name: string) => contents.get(name)! };
}

const rowsIn = async (database: Sql) =>
  (await database.query<{ n: bigint }>({ text: `select count(*) as n from ${table}`, values: [] }))[0]!.n;

describeDatabase("the import of a snapshot", (fresh) => {
  async function imported(database: Sql, source: ReturnType<typeof snapshotOf>): Promise<void> {
    const snapshot = await openSnapshot(source, signal);
    await beginImport(database, snapshot);
    await importFiles(database, { source, snapshot, signal, onProgress: () => {} });
  }

  test("stores the rows of files that are as many as the manifest says", async () => {
    const sql = (await fresh()).sql();
    const files = [await exported(sql, [1, 2]), await exported(sql, [3])];
    await imported(sql, snapshotOf(files, 3));
    expect(await rowsIn(sql)).toBe(3n);
  });

  test.each([-1, 1, 10 ** 12])(
    "refuses a file that has other rows than its manifest says: %i more",
    async (more) => {
      const sql = (await fresh()).sql();
      const [first, second] = [await exported(sql, [1, 2]), await exported(sql, [3])];
      const lying = { ...second, file: { ...second.file, rows: 1 + more } };
      const importing = imported(sql, snapshotOf([first, lying], 3 + more));
      await expect(importing).rejects.toThrow(
        `the manifest of /snapshot is false: ${nameOf(second.file)} has 1 rows, not ${1 + more}`,
      );
      await expect(importing).rejects.toBeInstanceOf(FalseManifestError);
      // Of the false file nothing is stored.
      expect(await rowsIn(sql)).toBe(2n);
    },
  );

  test("refuses a table that has other rows than its files, before anything is stored", async () => {
    const sql = (await fresh()).sql();
    const source = snapshotOf([await exported(sql, [1, 2])], 10 ** 12);
    await expect(imported(sql, source)).rejects.toThrow(
      "manifest.json of /snapshot is false: it says that the table opcode_slots has 1000000000000 rows, and its files 2",
    );
    const noted = await sql.query({ text: "select 1 from index_meta where key = 'import'", values: [] });
    expect([await rowsIn(sql), noted]).toEqual([0n, []]);
  });
});
