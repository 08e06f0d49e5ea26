import { hash, randomBytes } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { networks } from "../config/settings.js";
import { makeFolder } from "../os/folder.js";
import { replaceFile } from "../os/replace-file.js";
import { builtInPlans, type CustomPlan, customPlan, type Plan, planName } from "./plan.js";

const time = z.iso.datetime();

/** The stored record of a key; it contains no part of the key's text. */
const keyRecord = z.strictObject({
  id: z.string().min(1).max(64),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  network: z.enum(networks),
  plan: z.string(),
  label: z.string().max(200),
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
  .refine(({ plans, keys }) => keys.every(({ plan }) => isPlan(plan, plans)), "a key has an unknown plan")
  .refine(({ keys }) => new Set(keys.map(({ id }) => id)).size === keys.length, "two keys have the same id");

export type KeyRecord = z.output<typeof keyRecord>;
export type KeyFile = z.output<typeof keyFile>;

/** A key command failed; the message is shown to the user without a stack. */
export class KeyStoreError extends Error {}

/** SHA-256 of the key text in hex. The text is random, so it needs no salt. */
export function hashKey(text: string): string {
  return hash("sha256", text, "hex");
}

/** A new random key text: `tw_<network>_<32 bytes in base64url>`. */
export function newKeyText(network: string): string {
  return `tw_${network}_${randomBytes(32).toString("base64url")}`;
}

/** Whether a plan exists, built in or custom. */
export function isPlan(name: string, plans: Record<string, CustomPlan>): boolean {
  return Object.hasOwn(builtInPlans, name) || Object.hasOwn(plans, name);
}

/** The plan of a key with its current limits. */
export function planOf({ plan: name }: KeyRecord, { plans }: KeyFile): Plan {
  const custom = plans[name];
  if (!custom) return { name, limit: builtInPlans[name] };
  const { rps, burst, streams } = custom;
  // JSON has no undefined members.
  return { name, limit: { rps, burst }, streams: streams as Plan["streams"] };
}

/** Parses a key store; throws an error that names the problem and its place. */
export function parseKeyFile(text: string): KeyFile {
  const read = keyFile.safeParse(JSON.parse(text));
  if (!read.success) throw new Error(z.prettifyError(read.error));
  return read.data;
}

/** Reads the key store at `path`. Throws `KeyStoreError` if it does not exist or is invalid. */
export function readKeyFile(path: string): KeyFile {
  try {
    return parseKeyFile(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new KeyStoreError(`key store ${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** Reads the key store at `path`; returns an empty one if the file does not exist. */
export function readOrNewKeyFile(path: string): KeyFile {
  return existsSync(path) ? readKeyFile(path) : { version: 1, plans: {}, keys: [] };
}

/** Throws if the key store does not exist. */
export function confirmKeyFile(path: string): void {
  if (!existsSync(path)) throw new KeyStoreError(`key store ${path} does not exist`);
}

/**
 * Changes the key store atomically: a lock file excludes other writers, and readers see either the old or the new
 * file. Creates the folder and the file if needed. Throws `KeyStoreError` if the lock is held for five seconds.
 */
export async function changeKeyFile<T>(
  path: string,
  change: (file: KeyFile) => { file: KeyFile; result: T },
): Promise<T> {
  makeFolder(dirname(path));
  const lock = `${path}.lock`;
  await takeLock(lock);
  try {
    const { file, result } = change(readOrNewKeyFile(path));
    const text = `${JSON.stringify(keyFile.parse(file), null, 2)}\n`;
    await replaceFile(path, text, 0o600);
    return result;
  } finally {
    rmSync(lock, { force: true });
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
