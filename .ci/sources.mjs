// Whether dist/ was built from the current files.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const top = dirname(import.meta.dirname);
/** Folders that a build reads; with them it reads files at the top. */
const folders = ["shared", "client", "server", ".ci"];
const record = join(top, "dist", "sources.sha256");

/** A digest of paths, sizes and times: reading all files would take as long as it saves. */
function digest() {
  const paths = [
    ...readdirSync(top),
    ...folders.flatMap((folder) =>
      readdirSync(join(top, folder), { recursive: true }).map((path) => join(folder, path)),
    ),
  ];
  const hash = createHash("sha256");
  for (const path of paths.sort()) {
    const file = statSync(join(top, path));
    if (file.isFile()) hash.update(`${path} ${file.size} ${file.mtimeMs}\n`);
  }
  return hash.digest("hex");
}

export function isBuilt() {
  try {
    return readFileSync(record, "utf8") === digest();
  } catch {
    return false;
  }
}

/** A build that is interrupted is no build. */
export function beginBuild() {
  rmSync(record, { force: true });
}

export function endBuild() {
  writeFileSync(record, digest());
}
