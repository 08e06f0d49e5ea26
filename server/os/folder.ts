import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SetupError } from "../errors.js";

/**
 * Creates a folder and its parents, accessible to this user only, because they hold keys and data. Throws `SetupError`
 * if it cannot. Level by level, because Node's recursive mkdir loops forever on file systems that answer ENOENT for
 * new names, such as /proc.
 */
export function makeFolder(path: string): void {
  try {
    makeLevels(resolve(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new SetupError(`${path} cannot be a folder: ${code === "EEXIST" ? "it is a file" : message}`);
  }
}

function makeLevels(path: string): void {
  if (isFolder(path)) return;
  const above = dirname(path);
  if (above !== path) makeLevels(above);
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
