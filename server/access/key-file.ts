import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { networks } from "../config/settings.js";
import { makeFolder } from "../os/folder.js";
import { builtInPlans, type Limit, limitSchema, type Plan, planName } from "./plan.js";

const time = z.iso.datetime();

/** What is kept of a key: never its text, and no part of it. */
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
    plans: z.record(planName, limitSchema),
    keys: z.array(keyRecord),
  })
  .refine(
    ({ plans, keys }) => keys.every(({ plan }) => isPlan(plan, plans)),
    "a key has a plan that is not there",
  )
  .refine(({ keys }) => new Set(keys.map(({ id }) => id)).size === keys.length, "two keys have one id");

export type KeyRecord = z.output<typeof keyRecord>;
export type KeyFile = z.output<typeof keyFile>;

/** What is asked cannot be done with the key store as it is; the message is for the person who asked. */
export class KeyStoreError extends Error {}

/** SHA-256 of the key text; the text is random, so it needs no salt. */
export function hashKey(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export function newKeyText(network: string): string {
  return `tw_${network}_${randomBytes(32).toString("base64url")}`;
}

export function isPlan(name: string, plans: Record<string, Limit>): boolean {
  return Object.hasOwn(builtInPlans, name) || Object.hasOwn(plans, name);
}

export function planOf(record: KeyRecord, { plans }: KeyFile): Plan {
  return { name: record.plan, limit: plans[record.plan] ?? builtInPlans[record.plan] };
}

/** Reads a key store from its text; throws with what is wrong and where. */
export function parseKeyFile(text: string): KeyFile {
  const read = keyFile.safeParse(JSON.parse(text));
  if (!read.success) throw new Error(z.prettifyError(read.error));
  return read.data;
}

/** The key store at `path`, which must be there. */
export function readKeyFile(path: string): KeyFile {
  try {
    return parseKeyFile(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new KeyStoreError(`key store ${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** The key store at `path`; one without keys where there is no file yet. */
export function readOrNewKeyFile(path: string): KeyFile {
  return existsSync(path) ? readKeyFile(path) : { version: 1, plans: {}, keys: [] };
}

/** For what only makes sense of keys there are; a first one is made by `tonwire keys create`. */
export function confirmKeyFile(path: string): void {
  if (!existsSync(path)) throw new KeyStoreError(`there is no key store ${path}`);
}

/** Changes the key store as one step: nobody else writes meanwhile, and readers see the old file or the new one. */
export async function changeKeyFile<T>(
  path: string,
  change: (file: KeyFile) => { file: KeyFile; result: T },
): Promise<T> {
  makeFolder(dirname(path));
  const lock = `${path}.lock`;
  const aside = `${path}.tmp`;
  await takeLock(lock);
  try {
    const { file, result } = change(readOrNewKeyFile(path));
    const text = `${JSON.stringify(keyFile.parse(file), null, 2)}\n`;
    writeDurably(aside, text);
    renameSync(aside, path);
    return result;
  } finally {
    rmSync(aside, { force: true });
    rmSync(lock, { force: true });
  }
}

/**
 * A lock left behind by a process that died is not broken automatically: two who find it at once could both
 * believe they own it.
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

function writeDurably(path: string, text: string): void {
  const handle = openSync(path, "w", 0o600);
  writeSync(handle, text);
  fsyncSync(handle);
  closeSync(handle);
}
