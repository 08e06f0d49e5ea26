import { isDeepStrictEqual } from "node:util";
import { bytesOfHex, bytesToHex } from "../../../shared/values/bytes.js";
import {
  checkKeys,
  type KeyFile,
  type KeyRecord,
  KeyStoreError,
  noKeys,
  ownersOf,
} from "../../access/keys/key-file.js";
import { type KeyRules, rulesOf } from "../../access/keys/key-rules.js";
import type { KeyChange, KeyStore } from "../../access/keys/key-store.js";
import type { Config } from "../../config/settings.js";
import type { Database, Queries, Sql } from "../../store/database.js";
import { migrateKept } from "../../store/migrate/migrate.js";
import { claimDatabase } from "../../store/open.js";
import {
  type ApiKeyRow,
  areKeysCurrent,
  editKeys,
  type KeysEdit,
  raiseKeysVersion,
  readApiKeys,
  readKeysVersion,
  readPlans,
} from "../../store/queries/kept/api-keys.js";

/** The keys and plans in a database, as commands read and change them. */
export class DatabaseKeys implements KeyStore {
  readonly place = "the database";
  readonly #database: Database;
  readonly #sql: Sql;

  constructor(database: Database) {
    this.#database = database;
    this.#sql = database.sql({ connections: 1 });
  }

  async read(): Promise<KeyFile> {
    return (await readKeysVersion(this.#sql)) ? readFile(this.#sql) : noKeys;
  }

  /** The first change of a database creates its tables. */
  async change<T>(change: KeyChange<T>): Promise<T> {
    await this.#database.confirm({ writes: true }, new AbortController().signal);
    // A user who may change keys need not be one who may create tables.
    if (!(await areKeysCurrent(this.#sql))) await migrateKept(this.#sql);
    return this.#sql.transaction(async (transaction) => {
      const version = await raiseKeysVersion(transaction);
      const before = await readFile(transaction);
      const { file, result } = change(before);
      await editKeys(transaction, version, editOf(before, checked(file)));
      return result;
    });
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

async function readFile(queries: Queries): Promise<KeyFile> {
  const keys = (await readApiKeys(queries)).map(recordOf);
  const plans = (await readPlans(queries)).map(({ name, limits }) => [name, limits]);
  return checked({ version: 1, plans: Object.fromEntries(plans), keys });
}

function checked(content: unknown): KeyFile {
  try {
    return checkKeys(content);
  } catch (cause) {
    throw new KeyStoreError(`the keys in the database are invalid: ${(cause as Error).message}`, { cause });
  }
}

function editOf(before: KeyFile, after: KeyFile): KeysEdit {
  const known = new Map(before.keys.map((key) => [key.id, key]));
  const left = new Set(after.keys.map(({ id }) => id));
  const owners = ownersOf(after);
  const plans = Object.entries(after.plans);
  return {
    put: after.keys
      .filter((key) => !isDeepStrictEqual(key, known.get(key.id)))
      .map((key) => rowOf(key, owners.get(key.id) ?? key.id)),
    removed: before.keys.map(({ id }) => id).filter((id) => !left.has(id)),
    plans: plans
      .filter(([name, limits]) => !isDeepStrictEqual(limits, before.plans[name]))
      .map(([name, limits]) => ({ name, limits })),
    removedPlans: Object.keys(before.plans).filter((name) => !Object.hasOwn(after.plans, name)),
  };
}

function rowOf({ id, hash, network, plan, label, ...key }: KeyRecord, owner: string): ApiKeyRow {
  const ms = (time: string | undefined) => (time === undefined ? null : BigInt(Date.parse(time)));
  return {
    ...{ id, owner, network, plan, label },
    hash: bytesOfHex(hash),
    created_at: BigInt(Date.parse(key.created_at)),
    expires_at: ms(key.expires_at),
    replaced_by: key.replaced_by ?? null,
    revoked_at: ms(key.revoked_at),
    rules: rulesOf(key) ?? null,
  };
}

function recordOf(row: ApiKeyRow): unknown {
  const { id, hash, network, plan, label, created_at, expires_at, replaced_by, revoked_at, rules } = row;
  const time = (ms: bigint) => new Date(Number(ms)).toISOString();
  return {
    ...{ id, hash: bytesToHex(hash), network, plan, label, created_at: time(created_at) },
    ...(rules as KeyRules | null),
    ...(expires_at !== null && { expires_at: time(expires_at) }),
    ...(replaced_by !== null && { replaced_by }),
    ...(revoked_at !== null && { revoked_at: time(revoked_at) }),
  };
}

/** Opens the key store in the configured database. Connects on first use. */
export async function openDatabaseKeys(config: Pick<Config, "databaseUrl">): Promise<KeyStore> {
  return new DatabaseKeys(await openKeysDatabase(config));
}

/** The database that has the keys, which the parts of a service that read the index do not share. */
export async function openKeysDatabase({ databaseUrl: url }: Pick<Config, "databaseUrl">): Promise<Database> {
  return (await claimDatabase({ url })).open(new AbortController().signal);
}
