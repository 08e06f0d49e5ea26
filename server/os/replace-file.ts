import { type FileHandle, open, rename, rm } from "node:fs/promises";
import type { FileOwner } from "./file-owner.js";

type ReplaceOptions = {
  /** Mode of the new file. Default: that of other new files of the process. */
  mode?: number | undefined;
  /** Owner and group of the new file, if not the user of this process. Others may not read it then. */
  owner?: FileOwner | undefined;
};

/**
 * Replaces a file as a whole: readers find the old content or the new one, also after the machine has crashed. One writer
 * at a time; until the folder is synced, a crash may bring the old content back.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode, owner }: ReplaceOptions = {},
): Promise<void> {
  const aside = `${path}.new`;
  // A killed process may have left one, with another mode.
  await rm(aside, { force: true });
  try {
    const file = await open(aside, "wx", mode);
    try {
      if (owner) await giveTo(file, owner);
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

/** By the descriptor: the name may lead elsewhere by now, where others can write to the folder. */
async function giveTo(file: FileHandle, { uid, gid }: FileOwner): Promise<void> {
  if ((await file.stat()).uid !== uid) await file.chown(uid, gid);
}
