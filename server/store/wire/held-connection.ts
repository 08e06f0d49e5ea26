import { once } from "node:events";
import type pg from "pg";
import { handledLater } from "../../../shared/values/promises.js";
import { toServiceError } from "../database-errors.js";

// Connections outside any pool, held for as long as their lock or subscription.

/** Fires when the connection breaks. */
export function endOf(client: pg.Client): AbortSignal {
  const lost = new AbortController();
  client.on("error", (error) => lost.abort(toServiceError(error)));
  client.on("end", () => lost.abort(toServiceError(new Error("a connection that was held has ended"))));
  return lost.signal;
}

/** Connects and runs the first statement; the signal aborts both. */
export async function onConnection(
  client: pg.Client,
  signal: AbortSignal,
  begin: () => Promise<unknown>,
): Promise<void> {
  const cutShort = () => void end(client);
  // `connect` of a client that is ended meanwhile neither resolves nor rejects.
  const ended = once(client, "end").then(() => {
    throw new Error("the connection has ended");
  });
  handledLater(ended);
  signal.addEventListener("abort", cutShort);
  try {
    signal.throwIfAborted();
    await Promise.race([client.connect(), ended]);
    await begin();
  } catch (error) {
    await end(client);
    signal.throwIfAborted();
    throw toServiceError(error);
  } finally {
    signal.removeEventListener("abort", cutShort);
  }
}

export async function end(client: pg.Client): Promise<void> {
  // The connection is given up, however it ends.
  await client.end().catch(() => {});
}
