// Makes the empty database that an embedded index begins with: creating one, and the schema in it, takes the engine
// seconds, copying it does not. Runs the compiled migrator, so it comes last in the build.
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { compiled } from "./compiled.mjs";

const top = dirname(import.meta.dirname);
const source = join(top, "server/store/pglite");
const target = join(top, "dist/server/store/pglite");
const { emptyDatabaseName } = await compiled("server/store/pglite/empty-database.js");
const { openPglite } = await compiled("server/store/pglite/pglite.js");
const { migrate } = await compiled("server/store/migrate/migrate.js");
const { imageOf } = await compiled("server/store/pglite/folder-image.js");
const name = emptyDatabaseName();

/** The lock file is newer if the engine may be another one. */
function isCurrent() {
  const made = statSync(join(source, name), { throwIfNoEntry: false });
  return made !== undefined && made.mtimeMs > statSync(join(top, "package-lock.json")).mtimeMs;
}

function removeFrom(folder, isOld) {
  for (const file of readdirSync(folder))
    if (/^empty-database.*\.(tgz|image)$/.test(file) && isOld(file)) rmSync(join(folder, file));
}

async function make() {
  const scratch = mkdtempSync(join(tmpdir(), "tonwire-empty-"));
  const dataDir = join(scratch, "index");
  try {
    const database = await openPglite(dataDir);
    await migrate(database.sql());
    await database.close();
    const engine = await PGlite.create({ dataDir });
    // Templates serve only to create further databases, which never happens.
    for (const template of ["template0", "template1"]) {
      await engine.exec(`alter database ${template} is_template false`);
      await engine.exec(`drop database ${template}`);
    }
    // Closing the database writes a few bytes of log, for which the beginning of a segment has room. No other one is needed.
    await engine.exec("select pg_switch_wal(); checkpoint");
    const { rows } = await engine.query("select pg_walfile_name(pg_current_wal_insert_lsn()) as segment");
    await engine.close();
    const log = join(dataDir, "pg_wal");
    for (const entry of readdirSync(log, { withFileTypes: true }))
      if (entry.isFile() && entry.name !== rows[0].segment) rmSync(join(log, entry.name));
    writeFileSync(join(source, name), imageOf(dataDir));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

removeFrom(target, () => true);
if (!isCurrent()) await make();
removeFrom(source, (file) => file !== name);
copyFileSync(join(source, name), join(target, name));
