import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { itemAt } from "../../../shared/values/lookups.js";
import { handledLater } from "../../../shared/values/promises.js";
import { ServiceError, SetupError } from "../../errors.js";
import { isReadOnly, sqlStateOf, toServiceError } from "../database-errors.js";
import { end, endOf, onConnection } from "./held-connection.js";

/** Time allowed for a notification. */
const notificationMs = 2000;
/** The oldest version of the server that the tests run on. */
const oldestServer = 15;
/** A pooler in statement mode refuses transactions, and others parameters in the start message that they do not know. */
export const protocolViolation = "08P01";

const pooled =
  "--database-url leads through a pooler in transaction or statement mode, which loses notifications and locks: " +
  "use the address of PostgreSQL itself or of a pooler in session mode";
const standby =
  "--database-url is a read-only standby: use the address of the primary server, and name standbys in --database-read-urls";
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
    await onConnection(notifier, signal, () => notifier.query(`notify ${channel}`));
    const late = wait(notificationMs, "late", { signal, ref: false });
    if ((await Promise.race([arrived, late])) !== "late") return;
    // A notification precedes the answer to a later statement. So a slow machine is not taken for a pooler.
    await listener.query("select");
    if ((await Promise.race([arrived, "late"])) === "late") throw new SetupError(pooled);
  } catch (error) {
    throw explained(error);
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

/** Why a server of this `server_version_num` cannot have the index; `undefined` if it can. */
export function whyUnsupported(version: number): string | undefined {
  const major = Math.floor(version / 10_000);
  if (major >= oldestServer) return undefined;
  return `--database-url leads to PostgreSQL ${major}, and tonwire needs ${oldestServer} or later: upgrade the server`;
}

function explained(error: unknown): unknown {
  if (isReadOnly(error)) return new SetupError(standby);
  const cause = error instanceof ServiceError ? error.cause : undefined;
  if (sqlStateOf(cause) === protocolViolation) return new SetupError(pooled);
  return error instanceof SetupError ? error : toServiceError(error);
}
