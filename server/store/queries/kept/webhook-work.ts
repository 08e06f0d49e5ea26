import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { notifyEach } from "../upkeep/notifications.js";
import { type AttemptRow, type WebhookRow, webhookChannel, webhookColumns } from "./webhooks.js";

// How processes share webhooks: each holds an advisory lock that is named by its number, which ends with its connection. A
// webhook belongs to the process with the number in its column `worker`, as long as there is such a lock.

/** Attempts that are kept of each webhook. */
const keptAttempts = 100;

/** Keys that have webhooks which are not paused. */
export async function keysWithWebhooks(queries: Queries): Promise<{ key_id: string; webhooks: number }[]> {
  return queries.query(SQL`
    select key_id, count(*)::integer as webhooks from tonwire_kept.webhooks where paused is null group by key_id`);
}

/** Takes webhooks of these keys that belong to no present process. */
export async function claimWebhooks(
  queries: Queries,
  {
    worker,
    workers,
    keys,
    limit,
  }: { worker: number; workers: readonly number[]; keys: string[]; limit: number },
): Promise<void> {
  await queries.query(SQL`
    update tonwire_kept.webhooks set worker = ${worker}, sending = false
    where id in (
      select id from tonwire_kept.webhooks
      where paused is null and (worker is null or worker <> all(${[...workers, worker]}::bigint[]))
        and key_id = any(${keys})
      order by created_at, id limit ${limit} for update skip locked)`);
}

/** Gives webhooks back, for other processes to take. */
export async function releaseWebhooks(
  queries: Queries,
  worker: number,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await queries.query(SQL`
    update tonwire_kept.webhooks set worker = null, sending = false
    where worker = ${worker} and id = any(${ids}::text[])`);
  await notifyEach(queries, webhookChannel, ["released"]);
}

/** The webhooks of a process that are not paused. */
export function webhooksOfWorker(
  queries: Queries,
  worker: number,
): Promise<Pick<WebhookRow, "id" | "version" | "key_id">[]> {
  return queries.query(SQL`
    select id, version, key_id from tonwire_kept.webhooks where worker = ${worker} and paused is null`);
}

/** Webhooks of a process as a whole. */
export function readWebhooks(
  queries: Queries,
  worker: number,
  ids: readonly string[],
): Promise<WebhookRow[]> {
  return queries.query(SQL`
    select ${webhookColumns}
    from tonwire_kept.webhooks where worker = ${worker} and id = any(${ids}::text[])`);
}

type Held = { worker: number; id: string; version: number };

/** Notes that an attempt begins. Returns false if the webhook has changed, is paused, deleted, or another process's. */
export async function beginAttempt(queries: Queries, { worker, id, version }: Held): Promise<boolean> {
  const rows = await queries.query(SQL`
    update tonwire_kept.webhooks set sending = true
    where id = ${id} and worker = ${worker} and version = ${version} and paused is null returning id`);
  return rows.length > 0;
}

/** The state of a webhook after an attempt. */
type AfterAttempt = Pick<
  WebhookRow,
  "cursor" | "failures" | "failing_since" | "failure" | "next_attempt_at" | "paused"
>;

/**
 * Notes how an attempt ended, unless the owner has set another place meanwhile. Returns whether the webhook is as it was
 * besides.
 */
export async function endAttempt(
  queries: Queries,
  { worker, id, version, replays }: Held & { replays: number },
  after: AfterAttempt,
  attempt: AttemptRow,
): Promise<boolean> {
  const rows = await queries.query<{ version: number }>(SQL`
    with held as (
      update tonwire_kept.webhooks set
        sending = false, attempts = attempts + 1,
        cursor = case when replays = ${replays} then ${after.cursor} else cursor end,
        paused = coalesce(paused, case when replays = ${replays} then ${after.paused}::text end),
        failures = case when replays = ${replays} then ${after.failures}::integer else failures end,
        failing_since = case when replays = ${replays} then ${after.failing_since}::bigint else failing_since end,
        failure = case when replays = ${replays} then ${after.failure} else failure end,
        next_attempt_at = case when replays = ${replays} then ${after.next_attempt_at}::bigint else next_attempt_at end
      where id = ${id} and worker = ${worker} returning id, attempts, version),
    added as (
      insert into tonwire_kept.webhook_attempts
        (webhook, number, at, duration_ms, events, after_cursor, cursor, status, failure)
      select id, attempts, ${attempt.at}::bigint, ${attempt.duration_ms}::integer, ${attempt.events}::integer,
        ${attempt.after_cursor}, ${attempt.cursor}, ${attempt.status}::integer, ${attempt.failure}::text
      from held),
    dropped as (
      delete from tonwire_kept.webhook_attempts a using held
      where a.webhook = held.id and a.number <= held.attempts - ${keptAttempts})
    select version from held`);
  return rows[0]?.version === version;
}

/** Notes that an attempt was cut off. */
export async function abandonAttempt(queries: Queries, { worker, id }: Held): Promise<void> {
  await queries.query(SQL`
    update tonwire_kept.webhooks set sending = false where id = ${id} and worker = ${worker}`);
}

/** Pauses a webhook whose events cannot be read. */
export async function pauseWebhook(
  queries: Queries,
  { worker, id, version }: Held,
  reason: string,
): Promise<void> {
  await queries.query(SQL`
    update tonwire_kept.webhooks set paused = ${reason}
    where id = ${id} and worker = ${worker} and version = ${version}`);
}

/** Moves webhooks on over events that do not match. */
export async function moveWebhooks(
  queries: Queries,
  worker: number,
  moved: readonly { id: string; version: number; cursor: string }[],
): Promise<void> {
  if (moved.length === 0) return;
  await queries.query(SQL`
    update tonwire_kept.webhooks w set cursor = moved.cursor
    from unnest(
      ${moved.map(({ id }) => id)}::text[], ${moved.map(({ version }) => version)}::integer[],
      ${moved.map(({ cursor }) => cursor)}::text[]) moved(id, version, cursor)
    where w.id = moved.id and w.version = moved.version and w.worker = ${worker}`);
}

/** Tells that this process has stopped delivering to a webhook which it does not have any more. */
export function tellStopped(queries: Queries, id: string): Promise<void> {
  return notifyEach(queries, webhookChannel, [`stopped ${id}`]);
}
