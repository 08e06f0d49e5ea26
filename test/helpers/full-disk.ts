import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { vi } from "vitest";
import { temporaryFolder } from "./temporary-folder.js";

/** Ends every write of this process once `room` bytes are written, as a full disk does, until it is restored. */
export async function fillDisk(room: number): Promise<{ mockRestore(): void }> {
  const file = await open(join(temporaryFolder(), "any"), "wx");
  const files = Object.getPrototypeOf(file) as FileHandle;
  await file.close();
  const write = files.write as (...args: unknown[]) => Promise<unknown>;
  return vi.spyOn(files, "write").mockImplementation(async function (this: unknown, ...args: unknown[]) {
    const [bytes, from, length, position] = args as [Uint8Array, number, number, number];
    if (room === 0) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    const taken = Math.min(room, length);
    room -= taken;
    return (await write.call(this, bytes, from, taken, position)) as never;
  });
}
