import SQL from "sql-template-tag";
import type { Queries, Transaction } from "../../database.js";
import { oneRow } from "../../sql/one-row.js";
import { notifyEach } from "../upkeep/notifications.js";

/** Every change of keys and plans notifies this channel of its version. */
export const keysChannel = "tonwire_keys";

/** Times are milliseconds since 1970. */
export type ApiKeyRow = {
  id: string;
  hash: Uint8Array;
  owner: string;
  network: string;
  plan: string;
  label: string;
  created_at: bigint;
  expires_at: bigint | null;
  replaced_by: string | null;
  revoked_at: bigint | null;
  rules: unknown;
};

type PlanRow = { name: string; limits: unknown };

/** The columns of a key that a service needs; `ends_at` is null for a key without an end. */
export type KeyEndRow = Pick<ApiKeyRow, "id" | "hash" | "owner" | "network" | "plan" | "rules"> & {
  ends_at: bigint | null;
};

type KeysVersion = { n: bigint; removed: bigint };

/** `undefined` in a database that has had no keys. */
export async function readKeysVersion(queries: Queries): Promise<KeysVersion | undefined> {
  const { found } = await oneRow<{ found: boolean }>(
    queries,
    SQL`select to_regclass('tonwire_kept.api_keys_version') is not null as found`,
  );
  if (!found) return undefined;
  return oneRow(queries, SQL`select n, removed from tonwire_kept.api_keys_version`);
}

/** Whether the tables have all that this version writes. */
export async function areKeysCurrent(queries: Queries): Promise<boolean> {
  const { current } = await oneRow<{ current: boolean }>(
    queries,
    SQL`select to_regclass('tonwire_kept.key_usage') is not null as current`,
  );
  return current;
}

/** The column is missing until the writer of the index, or a command that changes keys, has migrated the tables. */
const rules = SQL`to_jsonb(api_keys) -> 'rules' as rules`;

/** The oldest first. */
export function readApiKeys(queries: Queries): Promise<ApiKeyRow[]> {
  return queries.query(SQL`
    select id, hash, owner, network, plan, label, created_at, expires_at, replaced_by, revoked_at, ${rules}
    from tonwire_kept.api_keys order by number`);
}

/** By name. */
export function readPlans(queries: Queries): Promise<PlanRow[]> {
  return queries.query(SQL`select name, limits from tonwire_kept.api_plans order by name`);
}

/** The keys that are valid after a time, the oldest first. */
export function readValidKeys(queries: Queries, now: number): Promise<KeyEndRow[]> {
  return queries.query(SQL`
    select id, hash, owner, network, plan, least(expires_at, revoked_at) as ends_at, ${rules}
    from tonwire_kept.api_keys
    where coalesce(least(expires_at, revoked_at) > ${now}, true) order by number`);
}

/** The keys that have changed since a version, the oldest first. */
export function readChangedKeys(queries: Queries, version: bigint): Promise<KeyEndRow[]> {
  return queries.query(SQL`
    select id, hash, owner, network, plan, least(expires_at, revoked_at) as ends_at, ${rules}
    from tonwire_kept.api_keys where version > ${version} order by number`);
}

/** A change of keys and plans, written as a whole. */
export type KeysEdit = {
  /** New keys in the order of their creation, and changed ones. */
  put: readonly ApiKeyRow[];
  removed: readonly string[];
  plans: readonly PlanRow[];
  removedPlans: readonly string[];
};

/** Other changes wait until the end of the transaction. */
export async function raiseKeysVersion(transaction: Transaction): Promise<bigint> {
  const { n } = await oneRow<{ n: bigint }>(
    transaction,
    SQL`update tonwire_kept.api_keys_version set n = n + 1 returning n`,
  );
  return n;
}

/** Call it after `raiseKeysVersion`, whose version it gets. */
export async function editKeys(transaction: Transaction, version: bigint, edit: KeysEdit): Promise<void> {
  const { put, removed, plans, removedPlans } = edit;
  for (const { id, hash, owner, network, plan, label, rules, ...times } of put)
    await transaction.query(SQL`
      insert into tonwire_kept.api_keys
        (id, hash, owner, network, plan, label, created_at, expires_at, replaced_by, revoked_at, rules,
          version)
      values (${id}, ${hash}, ${owner}, ${network}, ${plan}, ${label}, ${times.created_at}, ${times.expires_at},
        ${times.replaced_by}, ${times.revoked_at}, ${rules}::jsonb, ${version})
      on conflict (id) do update set
        plan = excluded.plan, label = excluded.label, expires_at = excluded.expires_at,
        replaced_by = excluded.replaced_by, revoked_at = excluded.revoked_at, rules = excluded.rules,
        version = excluded.version`);
  if (removed.length > 0) {
    await transaction.query(SQL`delete from tonwire_kept.api_keys where id = any(${removed}::text[])`);
    await transaction.query(SQL`update tonwire_kept.api_keys_version set removed = ${version}`);
  }
  for (const { name, limits } of plans)
    await transaction.query(SQL`
      insert into tonwire_kept.api_plans (name, limits) values (${name}, ${limits}::jsonb)
      on conflict (name) do update set limits = excluded.limits`);
  if (removedPlans.length > 0)
    await transaction.query(
      SQL`delete from tonwire_kept.api_plans where name = any(${removedPlans}::text[])`,
    );
  await notifyEach(transaction, keysChannel, [`${version}`]);
}
