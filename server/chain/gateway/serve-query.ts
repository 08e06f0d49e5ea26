import { ServiceError } from "../../errors.js";
import { maxPayload } from "../adnl/frames.js";
import { LiteError, liteErrorCode } from "../lite-api.js";
import type { Invoke } from "../lite-methods.js";
import type { Timers } from "../timers.js";
import { UnknownConstructor } from "../tl/codec.js";
import { wire } from "../tl/codecs.js";
import { encodeAnswer, encodeError, queryFrom } from "../tl/lite-functions.js";
import { TlError } from "../tl/tl-error.js";
import { TlReader } from "../tl/tl-reader.js";

export type QueryServer = {
  ask: Invoke;
  timers: Timers;
  /** Something went wrong that is not the caller's business. */
  onError(error: unknown): void;
};

/** How long a query may take, and how long it may wait for a block before that. */
const queryMs = 4500;
const maxWaitMs = 10_000;
/** Longest answer, with `adnl.message.answer query_id:int256 answer:bytes` and its padding around it. */
const maxAnswer = maxPayload - (4 + 32 + 4 + 3);

/** Answers what a client sends as `adnl.message.query`; not at all when it is nothing for a liteserver. */
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
    if (isUnavailable(error)) return encodeError(new LiteError(liteErrorCode.notReady, "node not synced"));
    server.onError(error);
    return encodeError(new LiteError(liteErrorCode.failure, "internal error"));
  }
}

/** What the chain is read from is not there, as when a pool has no server to ask. */
function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "unavailable";
}

/** `liteServer.query data:bytes`, or `liteServer.queryPrefix` and then the data as they are. */
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
  { ask, timers }: QueryServer,
  asked: Uint8Array,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { wait, question } = read(asked);
  if (wait) {
    const waitMs = Math.max(0, Math.min(wait.timeoutMs, maxWaitMs));
    await ask("getTime", {}, { signal, waitSeqno: wait.seqno, deadline: timers.now() + waitMs });
  }
  const deadline = timers.now() + queryMs;
  try {
    const given = await ask(question.method, question.request, { signal, deadline });
    const encoded = encodeAnswer(question, given);
    if (encoded.length <= maxAnswer) return encoded;
    throw new LiteError(liteErrorCode.failure, `an answer of ${encoded.length} bytes is too long to be sent`);
  } catch (error) {
    const late =
      error instanceof LiteError && error.code === liteErrorCode.timeout && timers.now() >= deadline;
    throw late ? new LiteError(liteErrorCode.queryTimeout, "timeout") : error;
  }
}

/** The function asked for, and the block to wait for before. */
function read(asked: Uint8Array) {
  const reader = new TlReader(asked);
  try {
    const first = wire.read(reader);
    const waits = first.name === "liteServer.waitMasterchainSeqno";
    const named = waits ? wire.read(reader) : first;
    reader.end();
    return {
      wait: waits ? (first.value as { seqno: number; timeoutMs: number }) : undefined,
      question: queryFrom(named),
    };
  } catch (error) {
    if (!(error instanceof TlError)) throw error;
    const text =
      error instanceof UnknownConstructor ? "unknown query" : `cannot parse query: ${error.message}`;
    throw new LiteError(liteErrorCode.protocolViolation, text);
  }
}
