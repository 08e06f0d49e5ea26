import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { itemAt } from "../../../shared/values/lookups.js";
import { handledLater } from "../../../shared/values/promises.js";
import { ServiceError, SetupError } from "../../errors.js";
import { commitSequence, isDividedSql } from "../cluster/commits.js";
import { isReadOnly, sqlStateOf, toServiceError } from "../database-errors.js";
import { end, endOf, onConnection } from "./held-connection.js";

/** Time allowed for a notification. */
const notificationMs = 2000;
/** The oldest version of the server that the tests run on. */
const oldestServer = 15;
/** A pooler in statement mode refuses transactions, and others parameters in the start message that they do not know. */
const protocolViolation = "08P01";

const pooled =
  "--database-url leads through a pooler in transaction or statement mode, which loses notifications and locks: " +
  "use the address of PostgreSQL itself or of a pooler in session mode";
const pooledReads =
  "--database-read-urls lead through a pooler in transaction or statement mode: set --database-read-pooled";
const standby =
  "--database-url is a read-only standby: use the address of the primary server, and name standbys in --database-read-urls";
const otherNode =
  "--database-url leads to a node of a cluster that is not its coordinator: use the address of the coordinator, and name other " +
  "nodes in --database-read-urls";
const readOnly = "--database-url is a read-only database: this process writes the index";

/**
 * Sends a notification from one connection to another one. Throws `SetupError` if it does not arrive, or if the server is
 * read-only: a standby has no notifications, and `writes` says whether the process writes. A pooler in transaction mode
 * loses session locks as well, which would let two processes write the index.
 */
export async function confirmServer(
  config: pg.ClientConfig,
  { writes }: { writes: boolean },
  signal: AbortSignal,
): Promise<void> {
  const [listener, notifier] = [new pg.Client(config), new pg.Client(config)];
  const lost = AbortSignal.any([endOf(listener), endOf(notifier)]);
  const channel = `tonwire_${randomUUID().replaceAll("-", "")}`;
  const arrived = handledLater(once(listener, "notification", { signal: lost }));
  try {
    await onConnection(listener, signal, () => listener.query(`listen ${channel}`));
    if (writes) await confirmWriter(listener);
    await confirmCoordinator(listener);
    await onConnection(notifier, signal, () => notifier.query(`notify ${channel}`));
    const late = wait(notificationMs, "late", { signal, ref: false });
    if ((await Promise.race([arrived, late])) !== "late") return;
    // A notification precedes the answer to a later statement. So a slow machine is not taken for a pooler.
    await listener.query("select");
    if ((await Promise.race([arrived, "late"])) === "late") throw new SetupError(pooled);
  } catch (error) {
    throw explained(error, pooled);
  } finally {
    await Promise.all([end(listener), end(notifier)]);
  }
}

async function confirmWriter(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ read_only: string; version: number }>(
    `select current_setting('transaction_read_only') as read_only,
       current_setting('server_version_num')::integer as version`,
  );
  const { read_only: isReadOnly, version } = itemAt(rows, 0);
  if (isReadOnly === "on") throw new SetupError(readOnly);
  const refusal = whyUnsupported(version);
  if (refusal !== undefined) throw new SetupError(refusal);
}

/** The other nodes of a cluster neither write the index nor notify of its commits. */
async function confirmCoordinator(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_other: string }>(
    `select (${isDividedSql} and to_regclass('${commitSequence}') is null)::text as is_other`,
  );
  if (itemAt(rows, 0).is_other === "true") throw new SetupError(otherNode);
}

/** Why a server of this `server_version_num` cannot have the index; `undefined` if it can. */
export function whyUnsupported(version: number): string | undefined {
  const major = Math.floor(version / 10_000);
  if (major >= oldestServer) return undefined;
  return `--database-url leads to PostgreSQL ${major}, and tonwire needs ${oldestServer} or later: upgrade the server`;
}

/**
 * Throws `SetupError` if connections do not keep their sessions, which statements with names and timeouts belong to: a
 * pooler in transaction mode gives the session of one connection to another one in between.
 */
export async function confirmSessions(config: pg.ClientConfig, signal: AbortSignal): Promise<void> {
  const clients = [new pg.Client(config), new pg.Client(config)] as const;
  // Errors of a connection reach those who wait for it.
  for (const client of clients) endOf(client);
  try {
    const names = [randomUUID(), randomUUID()] as const;
    for (const [at, client] of clients.entries())
      await onConnection(client, signal, () =>
        client.query("select set_config('tonwire.session', $1, false)", [names[at]]),
      );
    const { rows } = await clients[0].query<{ name: string | null }>(
      "select current_setting('tonwire.session', true) as name",
    );
    if (itemAt(rows, 0).name !== names[0]) throw new SetupError(pooledReads);
  } catch (error) {
    throw explained(error, pooledReads);
  } finally {
    await Promise.all(clients.map(end));
  }
}

function explained(error: unknown, ofPooler: string): unknown {
  if (isReadOnly(error)) return new SetupError(standby);
  const cause = error instanceof ServiceError ? error.cause : error;
  if (sqlStateOf(cause) === protocolViolation) return new SetupError(ofPooler);
  return error instanceof SetupError ? error : toServiceError(error);
}
