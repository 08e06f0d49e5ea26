import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../temporary-folder.js";

const packages = join(import.meta.dirname, "../../../node_modules");

/** A folder with the files of a project; `compilers` are packages of ours that it has installed. */
export function projectWith(files: Readonly<Record<string, string>>, compilers: readonly string[]): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  for (const name of compilers) {
    const installed = join(folder, "node_modules", name);
    mkdirSync(dirname(installed), { recursive: true });
    symlinkSync(join(packages, name), installed);
  }
  return folder;
}
