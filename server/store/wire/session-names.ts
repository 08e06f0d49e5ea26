import { randomBytes } from "node:crypto";

// Sessions show in their names which process they are of, and which of them beat. A pooler may add to a name.

const usualName = "tonwire";
/** The server cuts names off after 63 bytes. */
const maxPrefix = 30;

/** The names of the sessions of a process: one that holds or waits for a lock, and one for work. */
export type SessionNames = { readonly process: string; readonly lock: string; readonly work: string };

/** In the name of a session that beats: the tag of its process. */
export const lockPattern = " lock ([0-9a-f]{12})";

/** Names for a URL, which may name its sessions itself, and that URL without a name. */
export function sessionNames(url: string): { names: SessionNames; unnamedUrl: string } {
  const place = new URL(url);
  const given = place.searchParams.get("application_name");
  place.searchParams.delete("application_name");
  const prefix = (given ?? usualName).replace(/[^ -~]/g, "?").slice(0, maxPrefix);
  const process = randomBytes(6).toString("hex");
  const names = { process, lock: `${prefix} lock ${process}`, work: `${prefix} ${process}` };
  return { names, unnamedUrl: given === null ? url : place.href };
}
