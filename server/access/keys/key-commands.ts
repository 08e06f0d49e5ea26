import { isDeepStrictEqual } from "node:util";
import type { Network } from "../../config/settings.js";
import { type CustomPlan, customPlan, isPlan, type Limit, planName } from "../limits/plan.js";
import {
  hashKey,
  type KeyFile,
  type KeyRecord,
  KeyStoreError,
  newKeyText,
  noKeys,
  ownersOf,
} from "./key-file.js";
import { type KeyRules, problemOfRules, rulesOf } from "./key-rules.js";

/** The changed key file, and the result for the command. */
type Changed<T> = { file: KeyFile; result: T };
/** A created key. `text` is the key itself and is shown only once. */
export type NewKey = { record: KeyRecord; text: string };

/** A key to create; without `expiresAt` it is valid until it is revoked. */
export type NewKeyOptions = { network: Network; plan: string; label: string; expiresAt?: Date } & KeyRules;

/** Adds a new key. Its text is returned once and not stored. Throws `KeyStoreError` for an unknown plan. */
export function createKey(
  file: KeyFile,
  { network, plan, label, expiresAt, ...rules }: NewKeyOptions,
  now: Date,
): Changed<NewKey> {
  confirmPlan(file, plan);
  confirmRules(rules);
  const text = newKeyText(network);
  const hash = hashKey(text);
  const record: KeyRecord = {
    // The hash is not secret to readers of the store, so a part of it can be the id.
    id: `k_${hash.slice(0, 12)}`,
    hash,
    network,
    plan,
    label,
    ...rulesOf(rules),
    created_at: now.toISOString(),
    ...(expiresAt && { expires_at: expiresAt.toISOString() }),
  };
  return { file: { ...file, keys: [...file.keys, record] }, result: { record, text } };
}

/** Members of a key to change; `all` removes a rule. */
export type KeyEdit = {
  plan?: string | undefined;
  label?: string | undefined;
  methods?: readonly string[] | "all" | undefined;
  origins?: readonly string[] | "all" | undefined;
};

/** Changes a key, and those that replaced it or that it replaced: both secrets of a rotation have the same rules. */
export function changeKey(file: KeyFile, id: string, edit: KeyEdit): Changed<KeyRecord> {
  activeKey(file, id);
  const { plan, label } = edit;
  if (plan !== undefined) confirmPlan(file, plan);
  const owners = ownersOf(file);
  const change = ({ methods, origins, ...record }: KeyRecord): KeyRecord => {
    const rules = {
      methods: changedRule(methods, edit.methods),
      origins: changedRule(origins, edit.origins),
    };
    confirmRules(rules);
    return {
      ...record,
      ...(plan !== undefined && { plan }),
      ...(label !== undefined && { label }),
      ...rulesOf(rules),
    };
  };
  const keys = file.keys.map((key) =>
    owners.get(key.id) === owners.get(id) && key.revoked_at === undefined ? change(key) : key,
  );
  return { file: { ...file, keys }, result: keys.find((key) => key.id === id)! };
}

function changedRule(
  before: string[] | undefined,
  asked: readonly string[] | "all" | undefined,
): string[] | undefined {
  if (asked === undefined) return before;
  return asked === "all" ? undefined : [...asked];
}

function confirmPlan(file: KeyFile, plan: string): void {
  if (!isPlan(plan, file.plans))
    throw new KeyStoreError(`plan ${plan} does not exist; existing plans: ${planNames(file).join(", ")}`);
}

function confirmRules(rules: KeyRules): void {
  const problem = problemOfRules(rules);
  if (problem !== undefined) throw new KeyStoreError(problem);
}

/** Revokes a key immediately. */
export function revokeKey(file: KeyFile, id: string, now: Date): Changed<KeyRecord> {
  const record = { ...activeKey(file, id), revoked_at: now.toISOString() };
  return { file: replaceKey(file, record), result: record };
}

/**
 * Replaces a key by a new one with the same network, plan, label, rules and lifetime. The old key stays valid for the grace
 * period.
 */
export function rotateKey(file: KeyFile, id: string, graceMs: number, now: Date): Changed<NewKey> {
  const old = activeKey(file, id);
  if (old.replaced_by !== undefined)
    throw new KeyStoreError(`key ${id} was already replaced by ${old.replaced_by}`);
  const { network, plan, label, created_at, expires_at } = old;
  const after = (ms: number) => new Date(now.getTime() + ms);
  const expiresAt = expires_at && after(Date.parse(expires_at) - Date.parse(created_at));
  const order = { network, plan, label, ...rulesOf(old), ...(expiresAt && { expiresAt }) };
  const made = createKey(file, order, now);
  const end = after(graceMs).toISOString();
  const replaced: KeyRecord = {
    ...old,
    expires_at: expires_at !== undefined && expires_at < end ? expires_at : end,
    replaced_by: made.result.record.id,
  };
  return { file: replaceKey(made.file, replaced), result: made.result };
}

/** Monthly quotas to change. */
type MonthEdit = { calls?: number | "unlimited"; points?: number | "unlimited" };

/** Creates a plan, or changes its limit for all of its keys. Without `streams`, or a count of `month`, these do not change. */
export function setPlan(
  file: KeyFile,
  name: string,
  limit: Limit,
  streams?: CustomPlan["streams"],
  month: MonthEdit = {},
): Changed<CustomPlan> {
  const { month: before, ...others } = file.plans[name] ?? ({} as Partial<CustomPlan>);
  const quota = Object.entries({ ...before, ...month }).filter(([, count]) => typeof count === "number");
  const changed = customPlan.safeParse({
    ...others,
    ...limit,
    ...(streams && { streams }),
    ...(quota.length > 0 && { month: Object.fromEntries(quota) }),
  });
  for (const read of [planName.safeParse(name), changed])
    if (!read.success) throw new KeyStoreError(read.error.issues.map(problemOf).join("; "));
  const plan = changed.data!;
  return { file: { ...file, plans: { ...file.plans, [name]: plan } }, result: plan };
}

function problemOf({ path, message }: { path: readonly PropertyKey[]; message: string }): string {
  return path[0] === "streams" || path[0] === "month" ? `${path.map(String).join(".")}: ${message}` : message;
}

/** Removes a custom plan. Throws `KeyStoreError` while a key that is not revoked has it. */
export function removePlan(file: KeyFile, name: string): Changed<string> {
  if (!Object.hasOwn(file.plans, name))
    throw new KeyStoreError(`there is no custom plan ${name}; custom plans: ${customNames(file)}`);
  const [holder] = keysOfPlan(file, name);
  if (holder)
    throw new KeyStoreError(
      `plan ${name} has keys that are not revoked, such as ${holder.id}: revoke them first`,
    );
  const plans = Object.fromEntries(Object.entries(file.plans).filter(([each]) => each !== name));
  return { file: { ...file, plans }, result: name };
}

/** The numbers of keys and plans that were copied. */
type Copied = { keys: number; plans: number };

/**
 * Adds the keys and plans of another key store, with their order. A key that both have stays revoked if one says so. Throws
 * `KeyStoreError` for a plan with other limits.
 */
export function copyKeys(file: KeyFile, from: KeyFile): Changed<Copied> {
  for (const [name, limits] of Object.entries(from.plans))
    if (Object.hasOwn(file.plans, name) && !isDeepStrictEqual(file.plans[name], limits))
      throw new KeyStoreError(
        `plan ${name} has other limits in the two key stores: change one of them first`,
      );
  const keys = new Map(file.keys.map((key) => [key.id, key]));
  for (const key of from.keys) {
    const known = keys.get(key.id);
    if (known && known.hash !== key.hash)
      throw new KeyStoreError(`key ${key.id} is another one in the two key stores`);
    if (known?.revoked_at === undefined) keys.set(key.id, key);
  }
  return {
    file: { ...file, plans: { ...file.plans, ...from.plans }, keys: [...keys.values()] },
    result: { keys: from.keys.length, plans: Object.keys(from.plans).length },
  };
}

/** Removes all keys and plans. Throws `KeyStoreError` if the key store has changed since it had `copied`. */
export function removeCopied(file: KeyFile, copied: KeyFile): Changed<undefined> {
  if (!isDeepStrictEqual(file, copied))
    throw new KeyStoreError("the key store has changed meanwhile: run the command again");
  return { file: noKeys, result: undefined };
}

/** The keys of a plan that are not revoked. */
export function keysOfPlan({ keys }: KeyFile, name: string): KeyRecord[] {
  return keys.filter(({ plan, revoked_at }) => plan === name && revoked_at === undefined);
}

function customNames({ plans }: KeyFile): string {
  return Object.keys(plans).join(", ") || "none";
}

function planNames({ plans }: KeyFile): string[] {
  return ["standard", "unlimited", ...Object.keys(plans)];
}

function activeKey(file: KeyFile, id: string): KeyRecord {
  const record = file.keys.find((key) => key.id === id);
  if (record === undefined) throw new KeyStoreError(`key ${id} does not exist`);
  if (record.revoked_at !== undefined)
    throw new KeyStoreError(`key ${id} was revoked at ${record.revoked_at}`);
  return record;
}

function replaceKey(file: KeyFile, record: KeyRecord): KeyFile {
  return { ...file, keys: file.keys.map((key) => (key.id === record.id ? record : key)) };
}
