import { ownUser } from "./file-owner.js";

const root = 0;

/**
 * Ids of the users whose programs may do what the one who started this process may: its own user and root, and the caller of
 * sudo if it runs as root.
 */
export function trustedUsers(
  own: number | undefined = ownUser(),
  environment: NodeJS.ProcessEnv = process.env,
): ReadonlySet<number> {
  const users = new Set([root]);
  if (own !== undefined) users.add(own);
  const caller = environment["SUDO_UID"] ?? "";
  if (own === root && /^\d{1,10}$/.test(caller)) users.add(Number(caller));
  return users;
}
