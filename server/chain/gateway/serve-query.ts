import { maxPayload } from "../adnl/frames.js";
import { LiteError, liteErrorCode } from "../lite-api.js";
import type { Invoke } from "../lite-methods.js";
import type { Timers } from "../timers.js";
import { UnknownConstructor } from "../tl/codec.js";
import { wire } from "../tl/codecs.js";
import { encodeAnswer, encodeError, queryFrom } from "../tl/lite-functions.js";
import { TlError } from "../tl/tl-error.js";
import { TlReader } from "../tl/tl-reader.js";
import { UnavailableError } from "../unavailable-error.js";

export type QueryServer = {
  invoke: Invoke;
  timers: Timers;
  /** Called with errors that are not reported to the client. */
  onError(error: unknown): void;
};

/** Timeout of a query, and of waiting for a block before it. */
const queryMs = 4500;
const maxWaitMs = 10_000;
/** Longest answer that fits a frame, inside `adnl.message.answer query_id:int256 answer:bytes` with padding. */
const maxAnswer = maxPayload - (4 + 32 + 4 + 3);

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

async function answer(
  { invoke, timers }: QueryServer,
  asked: Uint8Array,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { wait, query } = read(asked);
  if (wait) {
    const waitMs = Math.max(0, Math.min(wait.timeoutMs, maxWaitMs));
    await invoke("getTime", {}, { signal, waitSeqno: wait.seqno, deadline: timers.now() + waitMs });
  }
  const deadline = timers.now() + queryMs;
  try {
    const result = await invoke(query.method, query.request, { signal, deadline });
    const encoded = encodeAnswer(query, result);
    if (encoded.length <= maxAnswer) return encoded;
    throw new LiteError(liteErrorCode.failure, `an answer of ${encoded.length} bytes is too long to be sent`);
  } catch (error) {
    const late =
      error instanceof LiteError && error.code === liteErrorCode.timeout && timers.now() >= deadline;
    throw late ? new LiteError(liteErrorCode.queryTimeout, "timeout") : error;
  }
}

/** The function, and the block to wait for before it. */
function read(asked: Uint8Array) {
  const reader = new TlReader(asked);
  try {
    const first = wire.read(reader);
    const waits = first.name === "liteServer.waitMasterchainSeqno";
    const named = waits ? wire.read(reader) : first;
    reader.end();
    return {
      wait: waits ? (first.value as { seqno: number; timeoutMs: number }) : undefined,
      query: queryFrom(named),
    };
  } catch (error) {
    if (!(error instanceof TlError)) throw error;
    const text =
      error instanceof UnknownConstructor ? "unknown query" : `cannot parse query: ${error.message}`;
    throw new LiteError(liteErrorCode.protocolViolation, text);
  }
}
