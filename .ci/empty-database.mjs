// Makes the empty database that an embedded index begins with: creating one takes the engine seconds, copying it does not.
import { statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";

const top = dirname(import.meta.dirname);
const target = join(top, "server/store/empty-database.tgz");

/** The lock file is newer if the engine may be another one. */
function isCurrent() {
  const made = statSync(target, { throwIfNoEntry: false });
  return made !== undefined && made.mtimeMs > statSync(join(top, "package-lock.json")).mtimeMs;
}

if (!isCurrent()) {
  const database = await PGlite.create("memory://");
  const packed = await database.dumpDataDir("gzip");
  await database.close();
  writeFileSync(target, Buffer.from(await packed.arrayBuffer()));
}
