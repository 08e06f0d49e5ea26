import SQL from "sql-template-tag";
import type { Queries, Transaction } from "../../database.js";
import { oneRow } from "../../sql/one-row.js";
import { notifyEach } from "../upkeep/notifications.js";

/** Tells processes that a webhook has changed (`changed <id>`), or that one stopped delivering to it (`stopped <id>`). */
export const webhookChannel = "tonwire_webhooks";

/** The stored form of a request. */
export type StoredChoice = { readonly [name: string]: unknown };

export type WebhookRow = {
  id: string;
  key_id: string;
  url: string;
  /** Whether events may be delivered to programs on this machine. */
  loopback: boolean;
  choice: StoredChoice;
  accounts: number;
  firehose: boolean;
  secret: string;
  old_secret: string | null;
  old_secret_until: bigint | null;
  created_at: bigint;
  cursor: string;
  version: number;
  replays: number;
  paused: string | null;
  failures: number;
  failing_since: bigint | null;
  failure: string | null;
  next_attempt_at: bigint | null;
  attempts: bigint;
};

/** All columns of a row. */
export const webhookColumns = SQL`id, key_id, url, loopback, choice, accounts, firehose, secret, old_secret, old_secret_until, created_at,
  cursor, version, replays, paused, failures, failing_since, failure, next_attempt_at, attempts`;

/** Use of a key's plan by its webhooks, without the one with this id. */
type WebhookUse = { webhooks: number; accounts: number; firehoses: number };

/** By index on the key. `without`: the id of a webhook that does not count. */
export async function webhookUse(queries: Queries, keyId: string, without = ""): Promise<WebhookUse> {
  const use = await oneRow<WebhookUse>(
    queries,
    SQL`
    select count(*)::integer as webhooks, coalesce(sum(accounts), 0)::integer as accounts,
      (count(*) filter (where firehose))::integer as firehoses
    from tonwire_kept.webhooks where key_id = ${keyId} and id <> ${without}`,
  );
  return use;
}

/** Returns the row with the defaults of the other columns. */
export async function insertWebhook(
  transaction: Transaction,
  row: Pick<
    WebhookRow,
    | "id"
    | "key_id"
    | "url"
    | "loopback"
    | "choice"
    | "accounts"
    | "firehose"
    | "secret"
    | "created_at"
    | "cursor"
  >,
): Promise<WebhookRow> {
  const { id, key_id, url, loopback, choice, accounts, firehose, secret, created_at, cursor } = row;
  const inserted = await oneRow<WebhookRow>(
    transaction,
    SQL`
    insert into tonwire_kept.webhooks
      (id, key_id, url, loopback, choice, accounts, firehose, secret, created_at, cursor)
    values (${id}, ${key_id}, ${url}, ${loopback}, ${choice}, ${accounts}, ${firehose}, ${secret}, ${created_at},
      ${cursor})
    returning ${webhookColumns}`,
  );
  await tellChanged(transaction, id);
  return inserted;
}

/** The webhooks of a key, oldest first. */
export function webhooksOf(queries: Queries, keyId: string): Promise<WebhookRow[]> {
  return queries.query(SQL`
    select ${webhookColumns} from tonwire_kept.webhooks where key_id = ${keyId} order by created_at, id`);
}

/** A webhook of a key, which is locked until the end of the transaction. */
export async function lockWebhook(
  transaction: Transaction,
  keyId: string,
  id: string,
): Promise<WebhookRow | undefined> {
  const [row] = await transaction.query<WebhookRow>(SQL`
    select ${webhookColumns} from tonwire_kept.webhooks where id = ${id} and key_id = ${keyId} for update`);
  return row;
}

/** Stores a change by its owner. */
export async function changeWebhook(transaction: Transaction, row: WebhookRow): Promise<WebhookRow> {
  const changed = await oneRow<WebhookRow>(
    transaction,
    SQL`
    update tonwire_kept.webhooks set
      url = ${row.url}, loopback = ${row.loopback}, choice = ${row.choice}, accounts = ${row.accounts},
      firehose = ${row.firehose},
      secret = ${row.secret}, old_secret = ${row.old_secret}, old_secret_until = ${row.old_secret_until},
      cursor = ${row.cursor}, replays = ${row.replays}, paused = ${row.paused}, failures = ${row.failures}, failing_since = ${row.failing_since},
      failure = ${row.failure}, next_attempt_at = ${row.next_attempt_at}, version = version + 1
    where id = ${row.id} returning ${webhookColumns}`,
  );
  await tellChanged(transaction, row.id);
  return changed;
}

/** Whether there was such a webhook, and whether a process was delivering to it. */
export async function deleteWebhook(
  transaction: Transaction,
  keyId: string,
  id: string,
): Promise<{ sending: boolean } | undefined> {
  const [deleted] = await transaction.query<{ sending: boolean }>(SQL`
    delete from tonwire_kept.webhooks where id = ${id} and key_id = ${keyId} returning sending`);
  if (deleted) await tellChanged(transaction, id);
  return deleted;
}

function tellChanged(queries: Queries, id: string): Promise<void> {
  return notifyEach(queries, webhookChannel, [`changed ${id}`]);
}

export type AttemptRow = {
  at: bigint;
  duration_ms: number;
  events: number;
  after_cursor: string;
  cursor: string;
  status: number | null;
  failure: string | null;
};

/** The last attempts to deliver to a webhook, newest first; `undefined` if the key has no such webhook. */
export async function attemptsOf(
  queries: Queries,
  { keyId, id, limit, offset }: { keyId: string; id: string; limit: number; offset: number },
): Promise<AttemptRow[] | undefined> {
  const [found] = await queries.query(SQL`
    select from tonwire_kept.webhooks where id = ${id} and key_id = ${keyId}`);
  if (!found) return undefined;
  return queries.query(SQL`
    select at, duration_ms, events, after_cursor, cursor, status, failure
    from tonwire_kept.webhook_attempts where webhook = ${id}
    order by number desc limit ${limit} offset ${offset}`);
}
