import { LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import type { Invoke } from "../../../shared/ton/lite/lite-methods.js";
import { wire } from "../../../shared/ton/tl/codecs.js";
import { encodeError } from "../../../shared/ton/tl/lite-functions.js";
import { TlError } from "../../../shared/ton/tl/tl-error.js";
import { TlReader } from "../../../shared/ton/tl/tl-reader.js";
import type { Timers } from "../../../shared/values/timers.js";
import { UnavailableError } from "../unavailable-error.js";
import { answerFunction, readFunction, waitForBlock } from "./answer-function.js";

export type QueryServer = {
  invoke: Invoke;
  timers: Timers;
  /** Called with errors that are not reported to the client. */
  onError(error: unknown): void;
};

/** Timeout of a query, without waiting for a block before it. */
const queryMs = 4500;

/** Answers an `adnl.message.query`. Undefined if it is not a liteserver query, which gets no answer. Never rejects. */
export async function serveQuery(
  server: QueryServer,
  query: Uint8Array,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const asked = unwrap(query);
  if (!asked) return undefined;
  try {
    return await answer(server, asked, signal);
  } catch (error) {
    if (error instanceof LiteError) return encodeError(error);
    if (error instanceof UnavailableError)
      return encodeError(new LiteError(liteErrorCode.notReady, "node not synced"));
    server.onError(error);
    return encodeError(new LiteError(liteErrorCode.failure, "internal error"));
  }
}

/** Unwraps `liteServer.query data:bytes`, or `liteServer.queryPrefix` followed by the data. */
function unwrap(query: Uint8Array): Uint8Array | undefined {
  try {
    const reader = new TlReader(query);
    const { name, value } = wire.read(reader);
    if (name === "liteServer.queryPrefix") return reader.rest();
    if (name !== "liteServer.query") return undefined;
    reader.end();
    return value["data"] as Uint8Array;
  } catch (error) {
    if (error instanceof TlError) return undefined;
    throw error;
  }
}

async function answer(server: QueryServer, data: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
  const { invoke, timers } = server;
  const asked = readFunction(data);
  await waitForBlock(server, asked, { signal });
  const deadline = timers.now() + queryMs;
  try {
    return await answerFunction(invoke, asked, { signal, deadline });
  } catch (error) {
    const late =
      error instanceof LiteError && error.code === liteErrorCode.timeout && timers.now() >= deadline;
    throw late ? new LiteError(liteErrorCode.queryTimeout, "timeout") : error;
  }
}
