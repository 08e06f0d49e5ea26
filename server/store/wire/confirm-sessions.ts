import { randomUUID } from "node:crypto";
import pg from "pg";
import { itemAt } from "../../../shared/values/lookups.js";
import { ServiceError, SetupError } from "../../errors.js";
import { sqlStateOf, toServiceError } from "../database-errors.js";
import { protocolViolation } from "./confirm-server.js";
import { end, endOf, onConnection } from "./held-connection.js";

const pooled =
  "--database-read-urls lead through a pooler in transaction or statement mode: set --database-read-pooled";

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
    if (itemAt(rows, 0).name !== names[0]) throw new SetupError(pooled);
  } catch (error) {
    const cause = error instanceof ServiceError ? error.cause : error;
    if (sqlStateOf(cause) === protocolViolation) throw new SetupError(pooled);
    throw error instanceof SetupError ? error : toServiceError(error);
  } finally {
    await Promise.all(clients.map(end));
  }
}
