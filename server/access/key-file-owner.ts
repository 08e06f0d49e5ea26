import { lstatSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { commandAs, type FileOwner, ownerOf, ownUser } from "../os/file-owner.js";
import { KeyStoreError } from "./key-store-error.js";

const root = 0;

/**
 * The owner that the changed key store must have, so that the service can still read it: the one that it had, or that its folder
 * has. `undefined` where files have no such owners. Throws `KeyStoreError` for a link, which would be replaced.
 */
export function keyStoreOwner(path: string): FileOwner | undefined {
  if (ownUser() === undefined) return undefined;
  const file = lstatSync(path, { throwIfNoEntry: false });
  if (file && !file.isFile())
    throw new KeyStoreError(`key store ${path} is not a file: name the file itself with --keys-file`);
  // The folder of a service may be a link, as systemd makes it.
  const folder = statSync(dirname(path));
  // An earlier command may have made the file as root, and kept it from the service.
  const { uid, gid } = file && file.uid !== root ? file : folder;
  return { uid, gid };
}

/** Why the key store cannot be changed, and what to do; `undefined` for errors of other kinds. */
export function whyUnwritable(path: string, { code }: NodeJS.ErrnoException): string | undefined {
  if (code === "EROFS") return "its file system is read-only; name a file elsewhere with --keys-file";
  if (code === "ENOSPC") return "its disk is full";
  if (code !== "EACCES" && code !== "EPERM") return undefined;
  const owner = ownerOf(path)?.uid ?? ownerOf(dirname(path))?.uid;
  const whose = owner === undefined ? "another user" : `user ${owner}`;
  const remedy = owner === undefined ? "" : `, for example with: ${commandAs(owner, "tonwire keys …")}`;
  return `it belongs to ${whose}, and this command is run by user ${ownUser()}; run it as that user${remedy}`;
}
