import { dirname } from "node:path";
import { FileLock } from "../../os/file-lock.js";
import { makeFolder } from "../../os/folder.js";

/** Locks a folder: PGlite itself does not, and two processes would corrupt it. */
export async function claimFolder(folder: string): Promise<FileLock> {
  makeFolder(dirname(folder));
  return FileLock.take(`${folder}.lock`);
}
