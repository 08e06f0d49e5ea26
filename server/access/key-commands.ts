import type { Network } from "../config/settings.js";
import { hashKey, isPlan, type KeyFile, type KeyRecord, KeyStoreError, newKeyText } from "./key-file.js";
import { type Limit, limitSchema, planName } from "./plan.js";

/** A key file after a change, and what the change gives back. */
type Changed<T> = { file: KeyFile; result: T };
export type NewKey = { record: KeyRecord; text: string };

export type KeyOrder = { network: Network; plan: string; label: string; expiresAt?: Date };

export function createKey(
  file: KeyFile,
  { network, plan, label, expiresAt }: KeyOrder,
  now: Date,
): Changed<NewKey> {
  if (!isPlan(plan, file.plans))
    throw new KeyStoreError(`there is no plan ${plan}; there are ${planNames(file).join(", ")}`);
  const text = newKeyText(network);
  const hash = hashKey(text);
  const record: KeyRecord = {
    // The hash is public to whoever reads the store, so a piece of it can name the key.
    id: `k_${hash.slice(0, 12)}`,
    hash,
    network,
    plan,
    label,
    created_at: now.toISOString(),
    ...(expiresAt && { expires_at: expiresAt.toISOString() }),
  };
  return { file: { ...file, keys: [...file.keys, record] }, result: { record, text } };
}

export function revokeKey(file: KeyFile, id: string, now: Date): Changed<KeyRecord> {
  const record = { ...livingKey(file, id), revoked_at: now.toISOString() };
  return { file: replaceKey(file, record), result: record };
}

/**
 * A new key with the old one's network, plan and label, and with its lifetime if it has one; the old one lives on
 * for the grace time.
 */
export function rotateKey(file: KeyFile, id: string, graceMs: number, now: Date): Changed<NewKey> {
  const old = livingKey(file, id);
  if (old.replaced_by !== undefined)
    throw new KeyStoreError(`key ${id} was replaced by ${old.replaced_by} already`);
  const { network, plan, label, created_at, expires_at } = old;
  const after = (ms: number) => new Date(now.getTime() + ms);
  const expiresAt = expires_at && after(Date.parse(expires_at) - Date.parse(created_at));
  const made = createKey(file, { network, plan, label, ...(expiresAt && { expiresAt }) }, now);
  const end = after(graceMs).toISOString();
  const replaced: KeyRecord = {
    ...old,
    expires_at: expires_at !== undefined && expires_at < end ? expires_at : end,
    replaced_by: made.result.record.id,
  };
  return { file: replaceKey(made.file, replaced), result: made.result };
}

/** Makes a plan or changes the limit of one, for every key that has it. */
export function setPlan(file: KeyFile, name: string, limit: Limit): Changed<Limit> {
  for (const read of [planName.safeParse(name), limitSchema.safeParse(limit)])
    if (!read.success) throw new KeyStoreError(read.error.issues.map(({ message }) => message).join("; "));
  return { file: { ...file, plans: { ...file.plans, [name]: limit } }, result: limit };
}

function planNames({ plans }: KeyFile): string[] {
  return ["standard", "unlimited", ...Object.keys(plans)];
}

function livingKey(file: KeyFile, id: string): KeyRecord {
  const record = file.keys.find((key) => key.id === id);
  if (record === undefined) throw new KeyStoreError(`there is no key ${id}`);
  if (record.revoked_at !== undefined)
    throw new KeyStoreError(`key ${id} was revoked at ${record.revoked_at}`);
  return record;
}

function replaceKey(file: KeyFile, record: KeyRecord): KeyFile {
  return { ...file, keys: file.keys.map((key) => (key.id === record.id ? record : key)) };
}
