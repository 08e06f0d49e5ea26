import { hash, randomBytes } from "node:crypto";
import { closeSync, lstatSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { networks } from "../../config/settings.js";
import { commandAs, type FileOwner, ownerOf, ownUser, whyUnreadable } from "../../os/file-owner.js";
import { makeFolder } from "../../os/folder.js";
import { replaceFile } from "../../os/replace-file.js";
import { customPlan, isPlan, planName } from "../limits/plan.js";
import { keyRules } from "./key-rules.js";

/** A key command failed; the message is shown to the user without a stack. */
export class KeyStoreError extends Error {}

const time = z.iso.datetime();

/** The stored record of a key; it contains no part of the key's text. */
const keyRecord = z.strictObject({
  id: z.string().min(1).max(64),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  network: z.enum(networks),
  plan: z.string(),
  label: z.string().max(200),
  ...keyRules,
  created_at: time,
  expires_at: time.optional(),
  replaced_by: z.string().optional(),
  revoked_at: time.optional(),
});

const keyFile = z
  .strictObject({
    version: z.literal(1),
    plans: z.record(planName, customPlan),
    keys: z.array(keyRecord),
  })
  .refine(
    // A plan whose keys are all revoked can be removed.
    ({ plans, keys }) =>
      keys.every(({ plan, revoked_at }) => revoked_at !== undefined || isPlan(plan, plans)),
    "a key has an unknown plan",
  )
  .refine(({ keys }) => new Set(keys.map(({ id }) => id)).size === keys.length, "two keys have the same id");

export type KeyRecord = z.output<typeof keyRecord>;
/** All keys and plans, as commands read and change them; a database holds the same. */
export type KeyFile = z.output<typeof keyFile>;

/** SHA-256 of the key text in hex. The text is random, so it needs no salt. */
export function hashKey(text: string): string {
  return hash("sha256", text, "hex");
}

/** A new random key text: `tw_<network>_<32 bytes in base64url>`. */
export function newKeyText(network: string): string {
  return `tw_${network}_${randomBytes(32).toString("base64url")}`;
}

/** The owner of each key, by id: the first of the keys that replaced one another up to this one. */
export function ownersOf({ keys }: KeyFile): Map<string, string> {
  const before = new Map(
    keys.flatMap(({ id, replaced_by: next }) => (next === undefined ? [] : [[next, id]])),
  );
  const owners = new Map<string, string>();
  // A key comes after the one that it replaces.
  for (const { id } of keys) owners.set(id, owners.get(before.get(id) ?? "") ?? id);
  return owners;
}

/** Checks a key store; throws an error that names the problem and its place. */
export function checkKeys(content: unknown): KeyFile {
  const read = keyFile.safeParse(content);
  if (!read.success) throw new Error(z.prettifyError(read.error));
  return read.data;
}

/** Parses a key store; throws an error that names the problem and its place. */
export function parseKeyFile(text: string): KeyFile {
  return checkKeys(JSON.parse(text));
}

/** An empty key store. */
export const noKeys: KeyFile = { version: 1, plans: {}, keys: [] };

/** Reads the key store at `path`. Throws `KeyStoreError` if it does not exist or is invalid. */
export function readKeyFile(path: string): KeyFile {
  confirmKeyFile(path);
  try {
    return parseKeyFile(readFileSync(path, "utf8"));
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** Reads the key store at `path`; returns an empty one if the file does not exist. */
export function readOrNewKeyFile(path: string): KeyFile {
  return isThere(path) ? readKeyFile(path) : noKeys;
}

/** Throws if the key store does not exist. */
function confirmKeyFile(path: string): void {
  if (!isThere(path)) throw new KeyStoreError(`key store ${path} does not exist`);
}

/** A file in a folder that may not be entered is not a new one. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOTDIR") return false;
    throw unreadable(path, cause);
  }
}

function unreadable(path: string, cause: unknown): KeyStoreError {
  const why = whyUnreadable(path, cause as NodeJS.ErrnoException);
  return new KeyStoreError(`key store ${path} cannot be read: ${why}`, { cause });
}

/**
 * Changes the key store atomically: a lock file excludes other writers, and readers see either the old or the new
 * file. Creates the folder and the file if needed. The file keeps its owner. Throws `KeyStoreError` if the lock is held for
 * five seconds.
 */
export async function changeKeyFile<T>(
  path: string,
  change: (file: KeyFile) => { file: KeyFile; result: T },
): Promise<T> {
  makeFolder(dirname(path));
  const lock = `${path}.lock`;
  try {
    await takeLock(lock);
    try {
      const { file, result } = change(readOrNewKeyFile(path));
      const text = `${JSON.stringify(keyFile.parse(file), null, 2)}\n`;
      await replaceFile(path, text, { mode: 0o600, owner: keyStoreOwner(path) });
      return result;
    } finally {
      rmSync(lock, { force: true });
    }
  } catch (cause) {
    const problem = whyUnwritable(path, cause as NodeJS.ErrnoException);
    if (problem === undefined) throw cause;
    throw new KeyStoreError(`key store ${path} cannot be changed: ${problem}`, { cause });
  }
}

/**
 * A stale lock of a process that died is not broken automatically: two processes that find it at the same time could
 * both take it.
 */
async function takeLock(lock: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      const handle = openSync(lock, "wx", 0o600);
      writeSync(handle, String(process.pid));
      closeSync(handle);
      return;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
      await wait(50);
    }
  }
  throw new KeyStoreError(`the key store is locked; if no other tonwire command is running, delete ${lock}`);
}

const root = 0;

/**
 * The owner that the changed key store must have, so that the service can still read it: the one that it had, or that its folder
 * has. `undefined` where files have no such owners. Throws `KeyStoreError` for a link, which would be replaced.
 */
function keyStoreOwner(path: string): FileOwner | undefined {
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
function whyUnwritable(path: string, { code }: NodeJS.ErrnoException): string | undefined {
  if (code === "EROFS") return "its file system is read-only; name a file elsewhere with --keys-file";
  if (code === "ENOSPC") return "its disk is full";
  if (code !== "EACCES" && code !== "EPERM") return undefined;
  const owner = ownerOf(path)?.uid ?? ownerOf(dirname(path))?.uid;
  const whose = owner === undefined ? "another user" : `user ${owner}`;
  const remedy = owner === undefined ? "" : `, for example with: ${commandAs(owner, "tonwire keys …")}`;
  return `it belongs to ${whose}, and this command is run by user ${ownUser()}; run it as that user${remedy}`;
}
