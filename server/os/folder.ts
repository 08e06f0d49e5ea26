import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SetupError } from "../errors.js";

/**
 * Makes a folder and those above it, for this user only: they hold keys and data. Level by level: Node's own way tries again for ever where a file system answers
 * each new name with ENOENT, as /proc does.
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
    // Another process may have been quicker.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
