import { type LiteCall, LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import type { Invoke } from "../../../shared/ton/lite/lite-methods.js";
import { UnknownConstructor } from "../../../shared/ton/tl/codec.js";
import { wire } from "../../../shared/ton/tl/codecs.js";
import { encodeAnswer, type LiteQuery, queryFrom } from "../../../shared/ton/tl/lite-functions.js";
import { TlError } from "../../../shared/ton/tl/tl-error.js";
import { TlReader } from "../../../shared/ton/tl/tl-reader.js";
import type { Timers } from "../../../shared/values/timers.js";
import { maxPayload } from "../adnl/frames.js";
import { NoAnswerError } from "../no-answer-error.js";

/** A function of a query, and the block to wait for before it. */
type Asked = {
  wait: { seqno: number; timeoutMs: number } | undefined;
  query: LiteQuery;
};

/** Longest time that a query waits for a block. */
const maxWaitMs = 10_000;
/** Longest answer that fits a frame, inside `adnl.message.answer query_id:int256 answer:bytes` with padding. */
const maxAnswer = maxPayload - (4 + 32 + 4 + 3);

/** Reads a function, with `liteServer.waitMasterchainSeqno` before it or without. Throws a LiteError. */
export function readFunction(asked: Uint8Array): Asked {
  const reader = new TlReader(asked);
  try {
    const first = wire.read(reader);
    const waits = first.name === "liteServer.waitMasterchainSeqno";
    const named = waits ? wire.read(reader) : first;
    reader.end();
    return {
      wait: waits ? (first.value as Asked["wait"]) : undefined,
      query: queryFrom(named),
    };
  } catch (error) {
    if (!(error instanceof TlError)) throw error;
    const text =
      error instanceof UnknownConstructor ? "unknown query" : `cannot parse query: ${error.message}`;
    throw new LiteError(liteErrorCode.protocolViolation, text);
  }
}

/** Waits for the block that a query names, for its timeout and `maxWaitMs` at most. Rejects with 652 without it. */
export async function waitForBlock(
  { invoke, timers }: { invoke: Invoke; timers: Timers },
  { wait }: Asked,
  call: LiteCall,
): Promise<void> {
  if (!wait) return;
  const waitMs = Math.max(0, Math.min(wait.timeoutMs, maxWaitMs));
  try {
    await invoke("getTime", {}, { ...call, waitSeqno: wait.seqno, deadline: timers.now() + waitMs });
  } catch (error) {
    throw error instanceof NoAnswerError ? new LiteError(error.code, error.message) : error;
  }
}

/** The encoded answer of a function. Throws a LiteError if it is too long for a frame. */
export async function answerFunction(invoke: Invoke, { query }: Asked, call: LiteCall): Promise<Uint8Array> {
  const encoded = encodeAnswer(query, await invoke(query.method, query.request, call));
  if (encoded.length <= maxAnswer) return encoded;
  throw new LiteError(liteErrorCode.failure, `an answer of ${encoded.length} bytes is too long to be sent`);
}
