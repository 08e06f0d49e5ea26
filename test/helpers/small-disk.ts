import { spawnSync } from "node:child_process";
import { statfsSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./temporary-folder.js";

const isMounted = (folder: string, megabytes: number) =>
  spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]).status === 0;

/** A separate disk for a test, which can be filled; `undefined` where this user may not mount one. */
export function smallDisk(megabytes: number) {
  const folder = temporaryFolder();
  if (!isMounted(folder, megabytes)) return undefined;
  onTestFinished(() => void spawnSync("umount", ["--lazy", folder]));
  const filler = join(folder, "filler");
  return {
    folder,
    /** Leaves this many megabytes free. */
    fill(left: number): void {
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(filler, new Uint8Array(bavail * bsize - left * 1024 * 1024));
    },
    empty: () => truncateSync(filler),
  };
}
