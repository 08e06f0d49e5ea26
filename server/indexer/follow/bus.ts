import type { Database, Listening } from "../../store/database.js";
import { notifyEach } from "../../store/queries/upkeep/notifications.js";

/**
 * Carries texts among the processes of one index. Texts are not kept: a process that misses them finds the changes
 * in the database.
 */
export interface Bus {
  /** Subscribers receive the texts in this order. */
  publish(channel: string, texts: readonly string[]): Promise<void>;
  /** `lost` fires if the subscription has ended. */
  subscribe(channel: string, onText: (text: string) => void, signal: AbortSignal): Promise<Listening>;
  /** Why texts are lost now; `undefined` while they arrive. */
  readonly failure: string | undefined;
  /** Notifies when `failure` has changed. Returns an unsubscribe function. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

const statementTimeoutMs = 10_000;

/** Notifications of the database. While it is away, there is nothing to tell of. */
export function databaseBus(database: Database): Bus {
  const sql = database.sql({ connections: 1, statementTimeoutMs });
  return {
    publish: (channel, texts) => notifyEach(sql, channel, texts),
    subscribe: (channel, onText, signal) => database.listen(channel, onText, signal),
    failure: undefined,
    onChange: () => () => {},
    close: async () => {},
  };
}
