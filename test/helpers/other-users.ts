import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "./temporary-folder.js";

/** Ids of users without names and rights. */
export const serviceUser = 60_123;
export const otherUser = 60_124;

/** Whether programs of this checkout can be run as other users: only root can, where others may read it. */
export const canChangeUser =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ["--eval", "", fileURLToPath(import.meta.url)], {
    uid: otherUser,
    gid: otherUser,
  }).status === 0 &&
  spawnSync("cat", [fileURLToPath(import.meta.url)], { uid: otherUser, gid: otherUser }).status === 0;

/** The data folder of a service that runs as `serviceUser`, inside a folder open to all users. */
export function serviceFolder(): string {
  const above = temporaryFolder();
  chmodSync(above, 0o755);
  const data = join(above, "data");
  mkdirSync(data, { mode: 0o700 });
  chownSync(data, serviceUser, serviceUser);
  return data;
}
