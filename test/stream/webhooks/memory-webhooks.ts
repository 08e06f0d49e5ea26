import { ServiceError } from "../../../server/errors.js";
import type { Database, Lock, Sql, Statement, Transaction } from "../../../server/store/database.js";
import type { AttemptRow, WebhookRow } from "../../../server/store/queries/kept/webhooks.js";

/** A webhook as it is stored. */
export type StoredWebhook = WebhookRow & { worker: number | null; sending: boolean };

const webhookRow = (id: string, more: Partial<StoredWebhook> = {}): StoredWebhook => ({
  id,
  key_id: "key",
  url: "https://example.com/hook",
  loopback: false,
  choice: { kind: "blocks", finality: "finalized", include: [] },
  accounts: 0,
  firehose: false,
  secret: "secret of 16 chars",
  old_secret: null,
  old_secret_until: null,
  created_at: 5000n,
  cursor: "",
  version: 0,
  replays: 0,
  paused: null,
  failures: 0,
  failing_since: null,
  failure: null,
  next_attempt_at: null,
  attempts: 0n,
  worker: null,
  sending: false,
  ...more,
});

type Values = readonly unknown[];

/**
 * As much of a database as webhooks use, in memory, for several processes. It knows the statements of
 * `server/store/queries/webhooks` by a part of their text, and fails with any other.
 */
export class MemoryWebhooks implements Sql {
  readonly rows = new Map<string, StoredWebhook>();
  readonly attempts = new Map<string, AttemptRow[]>();
  /** Notifications, in their order. */
  readonly notified: string[] = [];
  /** Names of the statements. */
  readonly asked: string[] = [];
  /** Numbers of processes, each with the controller of its lock. */
  readonly locks = new Map<number, AbortController>();
  /** Called before each statement, with its name. */
  onStatement: (name: string) => void | Promise<void> = () => {};
  readonly #listeners = new Set<(text: string) => void>();

  add(id: string, more: Partial<StoredWebhook> = {}): StoredWebhook {
    const row = webhookRow(id, more);
    this.rows.set(id, row);
    return row;
  }

  count(name: string): number {
    return this.asked.filter((each) => each === name).length;
  }

  async isDivided(): Promise<boolean> {
    return false;
  }

  async query<Row>(statement: Statement): Promise<Row[]> {
    const rule = rules.find(([part]) => statement.text.includes(part));
    if (!rule) throw new Error(`the webhooks in memory have no answer to: ${statement.text}`);
    const [, name, answer] = rule;
    this.asked.push(name);
    await this.onStatement(name);
    return answer.call(this, statement.values) as Row[];
  }

  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    this.asked.push("begin");
    return work(this as unknown as Transaction);
  }

  /** The database as processes open it. */
  get database(): Database {
    return {
      sql: () => this,
      lock: async (number: number): Promise<Lock> => {
        const lost = new AbortController();
        const worker = number % 2 ** 32;
        this.locks.set(worker, lost);
        return {
          lost: lost.signal,
          confirm: async () => {},
          release: async () => void this.locks.delete(worker),
        };
      },
      listen: async (channel: string, onMessage: (text: string) => void) => {
        if (channel !== "tonwire_webhooks") throw new Error(`nobody notifies ${channel}`);
        this.#listeners.add(onMessage);
        return {
          lost: new AbortController().signal,
          release: async () => void this.#listeners.delete(onMessage),
        };
      },
    } as unknown as Database;
  }

  notify(text: string): void {
    this.notified.push(text);
    for (const listener of this.#listeners) listener(text);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  all(is: (row: StoredWebhook) => boolean): StoredWebhook[] {
    return [...this.rows.values()].filter(is);
  }
}

const copy = ({ worker: _, sending: __, ...row }: StoredWebhook): WebhookRow => ({ ...row });
const byAge = (a: StoredWebhook, b: StoredWebhook) =>
  Number(a.created_at - b.created_at) || (a.id < b.id ? -1 : 1);

function update(row: StoredWebhook | undefined, change: Partial<StoredWebhook>): StoredWebhook[] {
  if (row) Object.assign(row, change);
  return row ? [row] : [];
}

const rules: [part: string, name: string, answer: (this: MemoryWebhooks, values: Values) => object[]][] = [
  ["pg_advisory_xact_lock", "lock", () => []],
  [
    "pg_notify(",
    "notify",
    function ([, texts]) {
      for (const text of texts as string[]) this.notify(text);
      return [];
    },
  ],
  [
    "with held as (",
    "endAttempt",
    function (values) {
      const [replays, cursor, , paused, , failures, , failing_since, , failure, , next_attempt_at] = values;
      const [id, worker, at, duration_ms, events, after_cursor, place, status, reason] = values.slice(12);
      const row = this.rows.get(id as string);
      if (!row || row.worker !== worker) return [];
      Object.assign(row, { sending: false, attempts: row.attempts + 1n });
      if (row.replays === replays)
        Object.assign(row, {
          cursor,
          failures,
          failing_since,
          failure,
          next_attempt_at,
          paused: row.paused ?? paused,
        });
      const attempt = { at, duration_ms, events, after_cursor, cursor: place, status, failure: reason };
      this.attempts.set(row.id, [attempt as AttemptRow, ...(this.attempts.get(row.id) ?? [])]);
      return [{ version: row.version }];
    },
  ],
  [
    "insert into tonwire_kept.webhooks",
    "insert",
    function ([id, key_id, url, loopback, choice, accounts, firehose, secret, created_at, cursor]) {
      const given = { key_id, url, loopback, choice, accounts, firehose, secret, created_at, cursor };
      return [copy(this.add(id as string, given as Partial<StoredWebhook>))];
    },
  ],
  [
    "count(*)::integer as webhooks, coalesce",
    "use",
    function ([keyId, without]) {
      const own = this.all(({ key_id, id }) => key_id === keyId && id !== without);
      const accounts = own.reduce((sum, row) => sum + row.accounts, 0);
      return [{ webhooks: own.length, accounts, firehoses: own.filter(({ firehose }) => firehose).length }];
    },
  ],
  [
    "where id = $1 and key_id = $2 for update",
    "lockWebhook",
    function ([id, keyId]) {
      return this.all((row) => row.id === id && row.key_id === keyId).map(copy);
    },
  ],
  [
    "url = $1",
    "change",
    function (values) {
      const [url, loopback, choice, accounts, firehose, secret, old_secret, old_secret_until] = values;
      const [cursor, replays, paused, failures, failing_since, failure, next_attempt_at, id] =
        values.slice(8);
      const row = this.rows.get(id as string);
      const change = {
        ...{ url, loopback, choice, accounts, firehose, secret, old_secret, old_secret_until },
        ...{ cursor, replays, paused },
        ...{ failures, failing_since, failure, next_attempt_at, version: row!.version + 1 },
      };
      return update(row, change as Partial<StoredWebhook>).map(copy);
    },
  ],
  [
    "delete from tonwire_kept.webhooks where",
    "delete",
    function ([id, keyId]) {
      const [row] = this.all((each) => each.id === id && each.key_id === keyId);
      if (!row) return [];
      this.rows.delete(row.id);
      return [{ sending: row.sending }];
    },
  ],
  [
    "where key_id = $1 order by created_at, id",
    "list",
    function ([keyId]) {
      return this.all(({ key_id }) => key_id === keyId)
        .sort(byAge)
        .map(copy);
    },
  ],
  [
    "select from tonwire_kept.webhooks where id",
    "exists",
    function ([id, keyId]) {
      return this.all((row) => row.id === id && row.key_id === keyId).map(() => ({}));
    },
  ],
  [
    "from tonwire_kept.webhook_attempts where webhook",
    "attempts",
    function ([id, limit, offset]) {
      const from = offset as number;
      return (this.attempts.get(id as string) ?? []).slice(from, from + (limit as number));
    },
  ],
  [
    "from pg_locks",
    "workers",
    function () {
      return Array.from(this.locks.keys(), (worker) => ({ worker: BigInt(worker) }));
    },
  ],
  [
    "where paused is null group by key_id",
    "keys",
    function () {
      const counts = new Map<string, number>();
      for (const { key_id } of this.all(({ paused }) => paused === null))
        counts.set(key_id, (counts.get(key_id) ?? 0) + 1);
      return Array.from(counts, ([key_id, webhooks]) => ({ key_id, webhooks }));
    },
  ],
  [
    "for update skip locked",
    "claim",
    function ([worker, workers, keys, limit]) {
      const free = this.all(
        (row) =>
          row.paused === null &&
          !(workers as number[]).includes(row.worker ?? -1) &&
          (keys as string[]).includes(row.key_id),
      );
      for (const row of free.sort(byAge).slice(0, limit as number))
        Object.assign(row, { worker, sending: false });
      return [];
    },
  ],
  [
    "set worker = null, sending = false",
    "release",
    function ([worker, ids]) {
      for (const row of this.all((each) => each.worker === worker && (ids as string[]).includes(each.id)))
        Object.assign(row, { worker: null, sending: false });
      return [];
    },
  ],
  [
    "select id, version, key_id from",
    "own",
    function ([worker]) {
      return this.all((row) => row.worker === worker && row.paused === null).map((row) => ({ ...row }));
    },
  ],
  [
    "and id = any($2::text[])",
    "read",
    function ([worker, ids]) {
      return this.all((row) => row.worker === worker && (ids as string[]).includes(row.id)).map(copy);
    },
  ],
  [
    "set sending = true",
    "beginAttempt",
    function ([id, worker, version]) {
      const row = this.rows.get(id as string);
      const isHeld = row?.worker === worker && row?.version === version && row?.paused === null;
      return isHeld ? update(row, { sending: true }) : [];
    },
  ],
  [
    "set sending = false where id",
    "abandonAttempt",
    function ([id, worker]) {
      const row = this.rows.get(id as string);
      return row?.worker === worker ? update(row, { sending: false }) : [];
    },
  ],
  [
    "set paused = $1",
    "pause",
    function ([reason, id, worker, version]) {
      const row = this.rows.get(id as string);
      const isHeld = row?.worker === worker && row?.version === version;
      return isHeld ? update(row, { paused: reason as string }) : [];
    },
  ],
  [
    "set cursor = moved.cursor",
    "move",
    function ([ids, versions, cursors, worker]) {
      for (const [at, id] of (ids as string[]).entries()) {
        const row = this.rows.get(id);
        if (row?.worker === worker && row?.version === (versions as number[])[at])
          row!.cursor = (cursors as string[])[at]!;
      }
      return [];
    },
  ],
];

export const gone = () => new ServiceError("unavailable", "the database is gone");
