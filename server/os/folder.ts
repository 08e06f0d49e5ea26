import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SetupError } from "../errors.js";

/**
 * Creates a folder and its parents, accessible to this user only, because they hold keys and data. Throws `SetupError`
 * if it cannot. Level by level, because Node's recursive mkdir loops forever on file systems that answer ENOENT for
 * new names, such as /proc. From the top, because versions of Node differ in what stat says of a path below a file.
 */
export function makeFolder(path: string): void {
  try {
    makeLevels(resolve(path));
  } catch (error) {
    throw new SetupError(`${path} cannot be a folder: ${(error as Error).message}`);
  }
}

function makeLevels(path: string): void {
  const above = dirname(path);
  if (above !== path) makeLevels(above);
  if (isFolder(path)) return;
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(path)) throw error;
  }
}

/** Whether the path is a folder rather than free. Throws if something else has it. */
function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw new Error(`${path} is a file`);
  return found !== undefined;
}
