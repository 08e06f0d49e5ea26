import { accessSync, constants, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/settings.js";
import { SetupError } from "../errors.js";
import { ownerOf, ownUser } from "../os/file-owner.js";

/** Throws `SetupError`, before anything is written, if the data folder is not for this process. */
export function confirmDataFolder({ data, network }: Pick<Config, "data" | "network">): void {
  if (data === undefined) return;
  const found = statOf(data);
  if (found === "locked" || (found === "folder" && !isUsable(data))) throw new SetupError(refusalOf(data));
  if (network !== "devnet" && existsSync(join(data, "chain.log")))
    throw new SetupError(
      `${data} is the data folder of a devnet: name another folder for ${network} with --data, or move its files away`,
    );
}

/** Later steps say what is wrong with a path that is no folder. */
function statOf(path: string): "folder" | "locked" | "other" {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? "folder" : "other";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES" ? "locked" : "other";
  }
}

function isUsable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    // Other errors are told where they matter: a full or read-only disk can still be read.
    return (error as NodeJS.ErrnoException).code !== "EACCES";
  }
}

function refusalOf(folder: string): string {
  const own = ownUser();
  const owner = ownerOf(folder)?.uid;
  const whose =
    owner === undefined ? "the folder above it may not be entered" : `it belongs to user ${owner}`;
  return `${folder} cannot be used by user ${own}: ${whose}; give it to that user as root: chown -R ${own} ${folder}`;
}
