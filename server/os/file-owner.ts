import { lstatSync } from "node:fs";

/** User and group that a file belongs to. */
export type FileOwner = { readonly uid: number; readonly gid: number };

/** Id of the user of this process; `undefined` on systems without such ids. */
export function ownUser(): number | undefined {
  return process.geteuid?.();
}

/** The owner of a file or folder, links not followed; `undefined` if there is none, or it cannot be found out. */
export function ownerOf(path: string): FileOwner | undefined {
  try {
    const { uid, gid } = lstatSync(path);
    return { uid, gid };
  } catch {
    return undefined;
  }
}

/** How an administrator runs a command as a user. */
export function commandAs(uid: number, command: string): string {
  return `sudo -u '#${uid}' ${command}`;
}
