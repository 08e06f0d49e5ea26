import { open, rename, rm } from "node:fs/promises";

/**
 * Replaces a file as a whole: readers find the old content or the new one, also after the machine has crashed. One writer
 * at a time; until the folder is synced, a crash may bring the old content back.
 */
export async function replaceFile(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
  const aside = `${path}.new`;
  // A process that was killed may have left one, with rights of its own.
  await rm(aside, { force: true });
  try {
    const file = await open(aside, "wx", mode);
    try {
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
