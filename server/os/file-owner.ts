import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { unlessRefused } from "./unless-refused.js";

/** User and group that a file belongs to. */
export type FileOwner = { readonly uid: number; readonly gid: number };

/** Id of the user of this process; `undefined` on systems without such ids. */
export function ownUser(): number | undefined {
  return process.geteuid?.();
}

/** The owner of a file or folder, links not followed; `undefined` if there is none, or it cannot be found out. */
export function ownerOf(path: string): FileOwner | undefined {
  return unlessRefused(() => {
    const { uid, gid } = lstatSync(path);
    return { uid, gid };
  });
}

/** How an administrator runs a command as a user. */
export function commandAs(uid: number, command: string): string {
  return `sudo -u '#${uid}' ${command}`;
}

/** Why a file cannot be read, and for missing rights what to do. */
export function whyUnreadable(path: string, error: NodeJS.ErrnoException): string {
  if (error.code !== "EACCES") return error.message;
  const owner = ownerOf(path)?.uid;
  const own = ownUser();
  if (owner === undefined)
    return `user ${own} may not enter its folder; give it to that user as root: chown -R ${own} ${dirname(path)}`;
  return owner === own
    ? `its owner may not read it; allow it: chmod 600 ${path}`
    : `it belongs to user ${owner}, and this process runs as user ${own}; give it to that user as root: chown ${own} ${path}`;
}
