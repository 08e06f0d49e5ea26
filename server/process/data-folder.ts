import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/settings.js";
import { SetupError } from "../errors.js";
import { ownerOf, ownUser, whyUnreadable } from "../os/file-owner.js";

/** Files of a devnet and of another network. Those of keys and of the index are checked where they are opened. */
const ownFiles = /^(chain\.log|meta\.json|elections\.json|state-\d+\.boc|trust\.json)$/;

/** Throws `SetupError`, before anything is written, if the data folder is not for this process. */
export function confirmDataFolder({ data, network }: Pick<Config, "data" | "network">): void {
  if (data === undefined) return;
  const found = statOf(data);
  if (found === "locked" || (found === "folder" && !isUsable(data))) throw new SetupError(refusalOf(data));
  if (found !== "folder") return;
  if (network !== "devnet" && existsSync(join(data, "chain.log")))
    throw new SetupError(
      `${data} is the data folder of a devnet: name another folder for ${network} with --data, or move its files away`,
    );
  if (network === "devnet" && existsSync(join(data, "trust.json")))
    throw new SetupError(
      `${data} is the data folder of mainnet or testnet: name that network with --network, or another folder for the devnet with --data`,
    );
  for (const name of readdirSync(data)) if (ownFiles.test(name)) confirmReadable(join(data, name));
}

function confirmReadable(path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException;
    if (error.code === "EACCES")
      throw new SetupError(`${path} cannot be read: ${whyUnreadable(path, error)}`, { cause });
  }
}

/** Later steps report a path that is no folder. */
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
    // Other errors are reported where they matter: a full or read-only disk can still be read.
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
